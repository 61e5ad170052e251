// What providers have said, by the ids of their screenings. One that is not there has no row.
// $ids
// returns: id, response
UNWIND $ids AS id
MATCH (s:Screening {id: id})
RETURN id, s.response AS response
