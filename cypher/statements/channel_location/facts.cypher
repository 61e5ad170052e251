// What is to be shown of channel locations.
// $ids
// returns: id, name, kind, street, city, state, postalCode, country
UNWIND $ids AS id
MATCH (n:ChannelLocation {id: id})
RETURN id, n.name AS name, n.type AS kind, n.street AS street, n.city AS city, n.state AS state, n.postalCode AS postalCode, n.country AS country
