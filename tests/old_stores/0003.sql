BEGIN TRANSACTION;
CREATE TABLE evalspan_applied (
	decision_id INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	CONSTRAINT pk_evalspan_applied PRIMARY KEY (decision_id, version_id), 
	CONSTRAINT fk_evalspan_applied_decision_id FOREIGN KEY(decision_id) REFERENCES evalspan_decision (id), 
	CONSTRAINT fk_evalspan_applied_version_id FOREIGN KEY(version_id) REFERENCES evalspan_set_version (id)
)
 WITHOUT ROWID

;
CREATE TABLE evalspan_bridge (
	old_score_id INTEGER NOT NULL, 
	new_score_id INTEGER NOT NULL, 
	made_by TEXT NOT NULL, 
	made_at TEXT NOT NULL, 
	why TEXT NOT NULL, 
	CONSTRAINT pk_evalspan_bridge PRIMARY KEY (old_score_id, new_score_id), 
	CONSTRAINT fk_evalspan_bridge_new_score_id FOREIGN KEY(new_score_id) REFERENCES evalspan_score (id), 
	CONSTRAINT fk_evalspan_bridge_old_score_id FOREIGN KEY(old_score_id) REFERENCES evalspan_score (id)
)
 WITHOUT ROWID

;
CREATE TABLE evalspan_chunking (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	snapshot_id INTEGER NOT NULL, 
	config TEXT NOT NULL, 
	fingerprint TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	identity TEXT NOT NULL, 
	chunks INTEGER NOT NULL, 
	exact INTEGER NOT NULL, 
	reformatted INTEGER NOT NULL, 
	repeated INTEGER NOT NULL, 
	missing INTEGER NOT NULL, 
	made_by TEXT NOT NULL, 
	made_at TEXT NOT NULL, 
	why TEXT NOT NULL, 
	CONSTRAINT pk_evalspan_chunking PRIMARY KEY (id), 
	CONSTRAINT ck_evalspan_chunking_chunks_are_counted CHECK (chunks = exact + reformatted + repeated + missing), 
	CONSTRAINT fk_evalspan_chunking_snapshot_id FOREIGN KEY(snapshot_id) REFERENCES evalspan_snapshot (id), 
	CONSTRAINT uq_evalspan_chunking_name UNIQUE (name)
);
INSERT INTO "evalspan_chunking" VALUES(1,'whole',1,'{"parameters":{},"splitter":"whole","version":""}','8b677f99607c617acbc0445d49f2ab4f','416603faefd7be3fa21a568a45263873','e5c9b895625e3462e33f7e0211bb3267',3,3,0,0,0,'a tester','2026-03-01T09:30:00Z','because');
CREATE TABLE evalspan_decision (
	id INTEGER NOT NULL, 
	set_id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	body TEXT NOT NULL, 
	made_by TEXT NOT NULL, 
	made_at TEXT NOT NULL, 
	why TEXT NOT NULL, 
	CONSTRAINT pk_evalspan_decision PRIMARY KEY (id), 
	CONSTRAINT fk_evalspan_decision_set_id FOREIGN KEY(set_id) REFERENCES evalspan_eval_set (id)
);
CREATE TABLE evalspan_document_chunks (
	chunking_id INTEGER NOT NULL, 
	doc_id TEXT NOT NULL, 
	chunks INTEGER NOT NULL, 
	body BLOB NOT NULL, 
	CONSTRAINT pk_evalspan_document_chunks PRIMARY KEY (chunking_id, doc_id), 
	CONSTRAINT fk_evalspan_document_chunks_chunking_id FOREIGN KEY(chunking_id) REFERENCES evalspan_chunking (id)
)
 WITHOUT ROWID

;
INSERT INTO "evalspan_document_chunks" VALUES(1,'a.md',1,X'78011D8D4B0AC3300C44EF32DD8662D224767D95D2856229258BA6C51F2804DFBDB237423303EF9DD839C13F40D7375F0C9E0352A6985B6734C8D1E7DBA83FEF2F497D8113CB64AD6C0BDD69DDC630AF8E352F13DBC9CDA1713ECCF0274C3BE94B47230E1DA4865CD400F951C8506589029F63915AEB1FB7DB2D0A');
INSERT INTO "evalspan_document_chunks" VALUES(1,'b.md',1,X'78011D8DCD0AC2301084DF65BC160935C626AF221E36D9ADF46095FC40A1E4DD4D72197676E0FB4E6C9CE09EF0D70F5F145E1352A698FB4FB522FB98E77BBB797B4B1A0B6CD0FEB118AB5722A3C87A63D9CC41999B5E1722DF395F66B813AA47FAD1DE89D30035432ECD00392864346589029763915AEB1F8ECA2C9B');
INSERT INTO "evalspan_document_chunks" VALUES(1,'é.md',1,X'78011DCC4D0A83301005E0BBBC6E45A64D343557912E1227292E6A4B7EA0203950CFD18B99B819DEBC07DF8E9523F48CFFAF7FF185F0E8109309A995541FB79DBBAA91D7A78BE7804988D12B394E34F8FBA2066F05916461AED67A216F8D793343EFA076E2C76C0DEC9A53FD94AB0FF7354B422D7270D02964574A3900A9A62CAC');
CREATE TABLE evalspan_entry (
	snapshot_id INTEGER NOT NULL, 
	doc_id TEXT NOT NULL, 
	text_digest TEXT NOT NULL, 
	version TEXT, 
	metadata TEXT, 
	metadata_digest TEXT, 
	CONSTRAINT pk_evalspan_entry PRIMARY KEY (snapshot_id, doc_id), 
	CONSTRAINT ck_evalspan_entry_metadata_has_digest CHECK ((metadata IS NULL) = (metadata_digest IS NULL)), 
	CONSTRAINT fk_evalspan_entry_snapshot_id FOREIGN KEY(snapshot_id) REFERENCES evalspan_snapshot (id), 
	CONSTRAINT fk_evalspan_entry_text_digest FOREIGN KEY(text_digest) REFERENCES evalspan_text (digest)
)
 WITHOUT ROWID

;
INSERT INTO "evalspan_entry" VALUES(1,'a.md','99d788459d9b9a926151656c0207a5e2',NULL,NULL,NULL);
INSERT INTO "evalspan_entry" VALUES(1,'b.md','ffc22156cb036e94553bb4e357681d4a',NULL,NULL,NULL);
INSERT INTO "evalspan_entry" VALUES(1,'é.md','a5b00430fddc5d8bc02508bd8fa4a8ab',NULL,NULL,NULL);
CREATE TABLE evalspan_eval_set (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	CONSTRAINT pk_evalspan_eval_set PRIMARY KEY (id), 
	CONSTRAINT uq_evalspan_eval_set_name UNIQUE (name)
);
INSERT INTO "evalspan_eval_set" VALUES(1,'faq');
CREATE TABLE evalspan_mapping (
	id INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	chunking_id INTEGER NOT NULL, 
	embedding TEXT, 
	embedding_fingerprint TEXT, 
	min_overlap DOUBLE NOT NULL, 
	clean INTEGER NOT NULL, 
	ambiguous INTEGER NOT NULL, 
	unmapped INTEGER NOT NULL, 
	reasons TEXT NOT NULL, 
	made_by TEXT NOT NULL, 
	made_at TEXT NOT NULL, 
	why TEXT NOT NULL, 
	CONSTRAINT pk_evalspan_mapping PRIMARY KEY (id), 
	CONSTRAINT ck_evalspan_mapping_embedding_has_fingerprint CHECK ((embedding IS NULL) = (embedding_fingerprint IS NULL)), 
	CONSTRAINT fk_evalspan_mapping_chunking_id FOREIGN KEY(chunking_id) REFERENCES evalspan_chunking (id), 
	CONSTRAINT fk_evalspan_mapping_version_id FOREIGN KEY(version_id) REFERENCES evalspan_set_version (id)
);
INSERT INTO "evalspan_mapping" VALUES(1,1,1,NULL,NULL,0.5,1,0,0,'{"clean/whole":1}','a tester','2026-03-01T09:30:00Z','because');
CREATE TABLE evalspan_outcome (
	mapping_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	query_id TEXT NOT NULL, 
	bucket TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	asks BOOLEAN NOT NULL, 
	body TEXT NOT NULL, 
	CONSTRAINT pk_evalspan_outcome PRIMARY KEY (mapping_id, position), 
	CONSTRAINT ck_evalspan_outcome_bucket_is_known CHECK (bucket IN ('clean', 'ambiguous', 'unmapped')), 
	CONSTRAINT fk_evalspan_outcome_mapping_id FOREIGN KEY(mapping_id) REFERENCES evalspan_mapping (id)
)
 WITHOUT ROWID

;
INSERT INTO "evalspan_outcome" VALUES(1,0,'q1','clean','whole',0,'{"chunk_id":null,"grade":1,"place":"certain","fit":"whole","doc_id":"a.md","match":{"span":[12,16],"status":"exact","sure":true,"score":1.0,"coverage":1.0},"coarse":false,"min_overlap":0.5,"covers":[["a.md#0",1.0,0.125,true]],"union_coverage":1.0}');
CREATE TABLE evalspan_override (
	id INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	manifest TEXT NOT NULL, 
	refusal TEXT NOT NULL, 
	made_by TEXT NOT NULL, 
	made_at TEXT NOT NULL, 
	why TEXT NOT NULL, 
	CONSTRAINT pk_evalspan_override PRIMARY KEY (id), 
	CONSTRAINT fk_evalspan_override_version_id FOREIGN KEY(version_id) REFERENCES evalspan_set_version (id)
);
CREATE TABLE evalspan_proposal (
	id INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	body TEXT NOT NULL, 
	CONSTRAINT pk_evalspan_proposal PRIMARY KEY (id), 
	CONSTRAINT fk_evalspan_proposal_version_id FOREIGN KEY(version_id) REFERENCES evalspan_set_version (id)
);
CREATE TABLE evalspan_question (
	digest TEXT NOT NULL, 
	body TEXT NOT NULL, 
	CONSTRAINT pk_evalspan_question PRIMARY KEY (digest)
);
INSERT INTO "evalspan_question" VALUES('f34c909a7d8bdda441c7a026fe994b8d','{"judgments":[{"anchor":{"copies":1,"digest":"b1e7235204e599169221d1a093f7053b","exact":"free","head":"free","length":4,"nth":0,"prefix":"Returns are ","suffix":" within 30 days.","tail":"free"},"doc_id":"a.md","end":16,"grade":1,"start":12}],"question":{"query_id":"q1","text":"How?"}}');
CREATE TABLE evalspan_run (
	digest TEXT NOT NULL, 
	name TEXT NOT NULL, 
	questions INTEGER NOT NULL, 
	hits INTEGER NOT NULL, 
	body BLOB NOT NULL, 
	CONSTRAINT pk_evalspan_run PRIMARY KEY (digest)
);
CREATE TABLE evalspan_score (
	id INTEGER NOT NULL, 
	mapping_id INTEGER NOT NULL, 
	run_digest TEXT NOT NULL, 
	min_overlap DOUBLE NOT NULL, 
	pipeline TEXT NOT NULL, 
	code_version TEXT NOT NULL, 
	waiting INTEGER NOT NULL, 
	figures TEXT NOT NULL, 
	body BLOB NOT NULL, 
	made_by TEXT NOT NULL, 
	made_at TEXT NOT NULL, 
	why TEXT NOT NULL, 
	CONSTRAINT pk_evalspan_score PRIMARY KEY (id), 
	CONSTRAINT fk_evalspan_score_mapping_id FOREIGN KEY(mapping_id) REFERENCES evalspan_mapping (id), 
	CONSTRAINT fk_evalspan_score_run_digest FOREIGN KEY(run_digest) REFERENCES evalspan_run (digest)
);
CREATE TABLE evalspan_set_question (
	version_id INTEGER NOT NULL, 
	query_id TEXT NOT NULL, 
	question_digest TEXT NOT NULL, 
	CONSTRAINT pk_evalspan_set_question PRIMARY KEY (version_id, query_id), 
	CONSTRAINT fk_evalspan_set_question_question_digest FOREIGN KEY(question_digest) REFERENCES evalspan_question (digest), 
	CONSTRAINT fk_evalspan_set_question_version_id FOREIGN KEY(version_id) REFERENCES evalspan_set_version (id)
)
 WITHOUT ROWID

;
INSERT INTO "evalspan_set_question" VALUES(1,'q1','f34c909a7d8bdda441c7a026fe994b8d');
CREATE TABLE evalspan_set_version (
	id INTEGER NOT NULL, 
	set_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	parent INTEGER, 
	snapshot_digest TEXT NOT NULL, 
	min_overlap DOUBLE NOT NULL, 
	label_schema INTEGER NOT NULL, 
	chunking_identity TEXT, 
	guard_scope TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	questions INTEGER NOT NULL, 
	judgments INTEGER NOT NULL, 
	chunk_labels INTEGER NOT NULL, 
	made_by TEXT NOT NULL, 
	made_at TEXT NOT NULL, 
	why TEXT NOT NULL, labels_are TEXT, pending INTEGER DEFAULT '0' NOT NULL, restores INTEGER, 
	CONSTRAINT pk_evalspan_set_version PRIMARY KEY (id), 
	CONSTRAINT ck_evalspan_set_version_follows_its_parent CHECK (number = coalesce(parent, 0) + 1), 
	CONSTRAINT fk_evalspan_set_version_set_id FOREIGN KEY(set_id) REFERENCES evalspan_eval_set (id), 
	CONSTRAINT uq_evalspan_set_version_set_id_number UNIQUE (set_id, number)
);
INSERT INTO "evalspan_set_version" VALUES(1,1,1,NULL,'2e88ce98faf9562c556eed6c7449a1b4',0.5,2,NULL,'corpus','3d09b4e1ffd50c7b5ebc0a73c5b31d78',1,1,0,'a tester','2026-03-01T09:30:00Z','because',NULL,0,NULL);
CREATE TABLE evalspan_snapshot (
	id INTEGER NOT NULL, 
	digest TEXT NOT NULL, 
	identity TEXT NOT NULL, 
	name TEXT, 
	documents INTEGER NOT NULL, 
	extractor_name TEXT, 
	extractor_version TEXT, 
	made_by TEXT NOT NULL, 
	made_at TEXT NOT NULL, 
	why TEXT NOT NULL, 
	CONSTRAINT pk_evalspan_snapshot PRIMARY KEY (id), 
	CONSTRAINT uq_evalspan_snapshot_identity UNIQUE (identity), 
	CONSTRAINT uq_evalspan_snapshot_name UNIQUE (name)
);
INSERT INTO "evalspan_snapshot" VALUES(1,'2e88ce98faf9562c556eed6c7449a1b4','7bf96f068ee604fb7a9b488029cd4593','first',3,NULL,NULL,'a tester','2026-03-01T09:30:00Z','because');
CREATE TABLE evalspan_text (
	digest TEXT NOT NULL, 
	size INTEGER NOT NULL, 
	body BLOB NOT NULL, 
	CONSTRAINT pk_evalspan_text PRIMARY KEY (digest)
);
INSERT INTO "evalspan_text" VALUES('99d788459d9b9a926151656c0207a5e2',32,X'78010B4A2D292DCA2B56482C4A55482B4A4D5528CF2CC9C8CC533036504849AC2CD60300C23E0B43');
INSERT INTO "evalspan_text" VALUES('ffc22156cb036e94553bb4e357681d4a',25,X'78010BCEC82C28C8CC4B572849CC4E2D562829CF574849AC2CD6E302007B8C08FE');
INSERT INTO "evalspan_text" VALUES('a5b00430fddc5d8bc02508bd8fa4a8ab',12,X'7801732F3ABCEDF0FC54850F73276D06002B2706EC');
CREATE TABLE evalspan_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT evalspan_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "evalspan_version" VALUES('0003');
CREATE INDEX ix_evalspan_snapshot_digest ON evalspan_snapshot (digest);
CREATE INDEX ix_evalspan_chunking_digest ON evalspan_chunking (digest);
CREATE INDEX ix_evalspan_override_version_id ON evalspan_override (version_id);
CREATE INDEX ix_evalspan_mapping_version_id_chunking_id ON evalspan_mapping (version_id, chunking_id);
CREATE INDEX ix_evalspan_proposal_version_id ON evalspan_proposal (version_id);
CREATE INDEX ix_evalspan_decision_set_id ON evalspan_decision (set_id);
CREATE INDEX ix_evalspan_score_mapping_id ON evalspan_score (mapping_id);
COMMIT;
