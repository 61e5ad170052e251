// How all processes stand that may write and tell others. There are as many nodes as there have been processes in the last hour.
// What is followed is one property, as two of a node may be read at different moments. The number is for those of whom a standing can't be read.
// returns: id, standing, renewal
MATCH (w:CacheWriter)
RETURN w.id AS id, w.standing AS standing, w.renewal AS renewal
