// Removes an external account that an account has taken over.
// $external
// returns: nothing
MATCH (e:Account {id: $external})
DETACH DELETE e
