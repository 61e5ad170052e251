// What is to be shown of IP addresses.
// $ids
// returns: id, name
UNWIND $ids AS id
MATCH (n:IpAddress {id: id})
RETURN id, n.name AS name
