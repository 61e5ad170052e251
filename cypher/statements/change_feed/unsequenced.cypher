// Sets of changes that have no position yet, in the order in which they get one: that in which their statements were sent.
// $most
// returns: id, stamp
// allows: 10 because what is sequenced loses the label within a moment
MATCH (c:Unsequenced)
WITH c.id AS id, c.stamp AS stamp ORDER BY stamp, id LIMIT $most
RETURN id, stamp
