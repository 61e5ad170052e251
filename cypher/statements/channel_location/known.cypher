// Which of the channel locations are there.
// $ids
// returns: id
UNWIND $ids AS id
MATCH (n:ChannelLocation {id: id})
RETURN n.id AS id
