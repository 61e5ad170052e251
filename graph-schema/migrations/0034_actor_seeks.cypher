// Actors of a risk band, of a country, or with an exclusion, each in the order of names and of risk.
CREATE INDEX actor_band_name IF NOT EXISTS FOR (n:Actor) ON (n.riskBand, n.nameOrder);
CREATE INDEX actor_band_risk IF NOT EXISTS FOR (n:Actor) ON (n.riskBand, n.riskScoreOrder);
CREATE INDEX actor_domicile_name IF NOT EXISTS FOR (n:Actor) ON (n.domicileOrder, n.nameOrder);
CREATE INDEX actor_domicile_risk IF NOT EXISTS FOR (n:Actor) ON (n.domicileOrder, n.riskScoreOrder);
CREATE INDEX actor_exclusion_name IF NOT EXISTS FOR (n:Actor) ON (n.exclusionType, n.nameOrder);
CREATE INDEX actor_exclusion_risk IF NOT EXISTS FOR (n:Actor) ON (n.exclusionType, n.riskScoreOrder);
