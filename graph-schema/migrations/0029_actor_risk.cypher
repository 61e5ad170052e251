// How actors stand by their risk scores: lists are ordered by the parts and filtered by the band.
CREATE INDEX actor_risk_score_parts IF NOT EXISTS FOR (n:Actor) ON (n.riskScoreParts);
CREATE INDEX actor_risk_band IF NOT EXISTS FOR (n:Actor) ON (n.riskBand);
