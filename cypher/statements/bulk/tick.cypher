// The clock goes on by a tick, for a bulk request that is to be acknowledged: what is written from now on has a later time, or was sent at the same moment.
// The clock is locked before it is read, so that of two instances each gets a tick of its own.
// $writeId, $tick: how far it goes on
// returns: time (what it says now)
MERGE (clock:LogicalClock {id: 'acknowledgement'})
ON CREATE SET clock.name = 'Order of acknowledgements', clock.time = 65536
SET clock.writeId = $writeId
WITH clock, clock.time + $tick AS time
SET clock.time = time
RETURN time
