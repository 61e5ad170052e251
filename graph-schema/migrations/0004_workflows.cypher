// Cases and what belongs to them, and the two workflows that are there from the start.
// A statement ends with a semicolon at the end of its line. All may run again: a migration that was interrupted is repeated.
CREATE CONSTRAINT case_id IF NOT EXISTS FOR (n:`Case`) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT case_comment_id IF NOT EXISTS FOR (n:CaseComment) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT communication_id IF NOT EXISTS FOR (n:Communication) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT observation_id IF NOT EXISTS FOR (n:Observation) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT tag_id IF NOT EXISTS FOR (n:Tag) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT user_id IF NOT EXISTS FOR (n:User) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT workflow_id IF NOT EXISTS FOR (n:Workflow) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT workflow_step_id IF NOT EXISTS FOR (n:WorkflowStep) REQUIRE n.id IS UNIQUE;
CREATE INDEX case_created_at IF NOT EXISTS FOR (n:`Case`) ON (n.createdAt);
UNWIND [
  {id: 'default-analysis', name: 'Default analysis', type: 'ANALYSIS'},
  {id: 'default-filing', name: 'Default filing', type: 'FILING'}
] AS workflow
MERGE (w:Workflow {id: workflow.id})
SET w.name = workflow.name, w.type = workflow.type, w.version = 1, w.hidden = false;
UNWIND [
  {workflow: 'default-analysis', at: 0, step: 'to-do', name: 'To do', status: 'TO_DO', state: 'OPEN'},
  {workflow: 'default-analysis', at: 1, step: 'in-progress', name: 'In progress', status: 'IN_PROGRESS', state: 'OPEN'},
  {workflow: 'default-analysis', at: 2, step: 'on-hold', name: 'On hold', status: 'ON_HOLD', state: 'OPEN'},
  {workflow: 'default-analysis', at: 3, step: 'waiting-for-data', name: 'Waiting for data', status: 'WAITING_FOR_DATA', state: 'OPEN'},
  {workflow: 'default-analysis', at: 4, step: 'closed', name: 'Closed', status: 'CLOSED', state: 'CLOSED'},
  {workflow: 'default-filing', at: 0, step: 'to-do', name: 'To do', status: 'TO_DO', state: 'OPEN'},
  {workflow: 'default-filing', at: 1, step: 'drafting', name: 'Drafting', status: 'DRAFTING', state: 'OPEN'},
  {workflow: 'default-filing', at: 2, step: 'review', name: 'Review', status: 'REVIEW', state: 'OPEN'},
  {workflow: 'default-filing', at: 3, step: 'filed', name: 'Filed', status: 'FILED', state: 'OPEN'},
  {workflow: 'default-filing', at: 4, step: 'closed', name: 'Closed', status: 'CLOSED', state: 'CLOSED'}
] AS step
WITH step, step.workflow AS workflow, step.workflow + '/' + step.step AS id
MATCH (w:Workflow {id: workflow})
MERGE (s:WorkflowStep {id: id})
SET s.name = step.name, s.label = step.name, s.stepId = step.step, s.status = step.status, s.state = step.state, s.position = step.at
MERGE (s)<-[:HAS_STEP]-(w);
UNWIND [
  {action: 'CLAIM', from: 'default-analysis/to-do', to: 'default-analysis/in-progress'},
  {action: 'SET_ON_HOLD', from: 'default-analysis/to-do', to: 'default-analysis/on-hold'},
  {action: 'SET_ON_HOLD', from: 'default-analysis/in-progress', to: 'default-analysis/on-hold'},
  {action: 'RESUME', from: 'default-analysis/on-hold', to: 'default-analysis/in-progress'},
  {action: 'RESUME', from: 'default-analysis/waiting-for-data', to: 'default-analysis/in-progress'},
  {action: 'REQUEST_DATA', from: 'default-analysis/to-do', to: 'default-analysis/waiting-for-data'},
  {action: 'REQUEST_DATA', from: 'default-analysis/in-progress', to: 'default-analysis/waiting-for-data'},
  {action: 'CLOSE', from: 'default-analysis/to-do', to: 'default-analysis/closed'},
  {action: 'CLOSE', from: 'default-analysis/in-progress', to: 'default-analysis/closed'},
  {action: 'CLOSE', from: 'default-analysis/on-hold', to: 'default-analysis/closed'},
  {action: 'CLOSE', from: 'default-analysis/waiting-for-data', to: 'default-analysis/closed'},
  {action: 'REOPEN', from: 'default-analysis/closed', to: 'default-analysis/to-do'},
  {action: 'CLAIM', from: 'default-filing/to-do', to: 'default-filing/drafting'},
  {action: 'SUBMIT', from: 'default-filing/drafting', to: 'default-filing/review'},
  {action: 'RETURN', from: 'default-filing/review', to: 'default-filing/drafting'},
  {action: 'FILE', from: 'default-filing/review', to: 'default-filing/filed'},
  {action: 'CLOSE', from: 'default-filing/to-do', to: 'default-filing/closed'},
  {action: 'CLOSE', from: 'default-filing/drafting', to: 'default-filing/closed'},
  {action: 'CLOSE', from: 'default-filing/review', to: 'default-filing/closed'},
  {action: 'CLOSE', from: 'default-filing/filed', to: 'default-filing/closed'},
  {action: 'REOPEN', from: 'default-filing/closed', to: 'default-filing/to-do'}
] AS move
WITH move.action AS action, move.from AS from, move.to AS to
MATCH (f:WorkflowStep {id: from})
MATCH (t:WorkflowStep {id: to})
MERGE (f)-[:MAY_MOVE_TO {action: action}]->(t);
