-- SPDX-License-Identifier: Apache-2.0
--
-- What test/harmless/postgresql works the server with: every answer is determined by what is here.
-- Errors leave the server's frames by siglongjmp.
\set ON_ERROR_STOP off
\set VERBOSITY verbose
\pset pager off
SET max_parallel_workers_per_gather = 0;
SET max_parallel_maintenance_workers = 2;

CREATE TABLE item (id int PRIMARY KEY, kind text NOT NULL, price numeric CHECK (price >= 0),
	tags text[], body jsonb);
INSERT INTO item SELECT n, 'kind ' || n % 17, n * 1.25, ARRAY['t' || n % 5, 't' || n % 7],
	jsonb_build_object('n', n, 'even', n % 2 = 0) FROM generate_series(1, 300) n;
CREATE INDEX ON item (kind, price);
CREATE INDEX ON item USING gin (tags);
CREATE INDEX ON item USING hash (price);
ANALYZE item;
SELECT kind, count(*), sum(price) FROM item GROUP BY kind ORDER BY kind;
SELECT count(*) FROM item a JOIN item b ON a.id = b.id + 1 WHERE a.price > b.price;
SELECT count(*) FROM item WHERE tags @> ARRAY['t1', 't2'];
SELECT id, rank() OVER (PARTITION BY kind ORDER BY price DESC) FROM item ORDER BY id LIMIT 5;
WITH RECURSIVE down(n) AS (SELECT 200 UNION ALL SELECT n - 1 FROM down WHERE n > 0)
	SELECT sum(n) FROM down;
SELECT md5(string_agg(body::text, ',' ORDER BY id)) FROM item;
SELECT regexp_replace('a1b22c333', '[0-9]+', '<\&>', 'g'), to_char(1234.5, 'FM9,999.00');
SELECT count(pg_size_bytes(n || 'kB')) FROM generate_series(1, 500) n;

-- In parallel workers, and an error in one of them.
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET parallel_leader_participation = off;
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT kind, count(*), sum(price) FROM item GROUP BY kind;
SELECT kind, count(*), sum(price) FROM item GROUP BY kind ORDER BY kind;
SELECT sum(1 / (id - 299)) FROM item;
SET max_parallel_workers_per_gather = 0;

-- Errors.
SELECT 1 / 0;
SELECT no_such_column FROM item;
SELECT * FROM no_such_table;
INSERT INTO item VALUES (1, 'again', 1, NULL, NULL);
INSERT INTO item VALUES (-1, 'cheap', -1, NULL, NULL);
SELECT 'x'::int;
SELECT , 1;
BEGIN;
SELECT 1 / 0;
SELECT 'in a failed transaction';
ROLLBACK;
BEGIN;
SAVEPOINT here;
INSERT INTO item VALUES (1, 'again', 1, NULL, NULL);
ROLLBACK TO here;
INSERT INTO item VALUES (-2, 'kept', 1, NULL, NULL);
COMMIT;
CREATE FUNCTION caught(n int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE caught int := 0;
BEGIN
	FOR i IN 1..n LOOP
		BEGIN
			PERFORM 1 / (i % 2)::bigint;
		EXCEPTION WHEN division_by_zero THEN
			caught := caught + 1;
		END;
	END LOOP;
	RETURN caught;
END $$;
SELECT caught(100);
SET statement_timeout = '50ms';
SELECT pg_sleep(60);
RESET statement_timeout;

-- Cursors, triggers, constraints at the end, copies, maintenance.
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id FROM item ORDER BY id;
FETCH 3 FROM c;
FETCH BACKWARD 1 FROM c;
FETCH LAST FROM c;
COMMIT;
CREATE TABLE log (id int REFERENCES item DEFERRABLE INITIALLY DEFERRED, what text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
	$$ BEGIN INSERT INTO log VALUES (NEW.id, TG_OP); RETURN NEW; END $$;
CREATE TRIGGER noted AFTER INSERT OR UPDATE ON item FOR EACH ROW EXECUTE FUNCTION note();
UPDATE item SET price = price + 1 WHERE id % 10 = 0;
SELECT what, count(*) FROM log GROUP BY what;
BEGIN;
INSERT INTO log VALUES (999999, 'orphan');
COMMIT;
DELETE FROM log;
DELETE FROM item WHERE id % 3 = 0;
VACUUM (ANALYZE, PARALLEL 2) item;
REINDEX TABLE item;
CLUSTER item USING item_pkey;
COPY (SELECT id, kind FROM item ORDER BY id LIMIT 5) TO STDOUT;
SELECT count(*), sum(id) FROM item;
PREPARE wanted(int) AS SELECT kind FROM item WHERE id = $1;
EXECUTE wanted(1);
EXECUTE wanted(2);
LISTEN channel;
CREATE MATERIALIZED VIEW dear AS SELECT * FROM item WHERE price > 300 ORDER BY id;
REFRESH MATERIALIZED VIEW dear;
SELECT count(*), max(price) FROM dear;

-- Code that is made while it runs calls the server's functions.
SET jit_above_cost = 0;
SELECT sum(1 / (id - 1)) FROM item;
RESET jit_above_cost;

-- At last out of nests deeper than the kernel can watch; it watches no more returns in a process
-- that has left one so.
\set VERBOSITY terse
CREATE FUNCTION deep(n int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
	IF n = 0 THEN RAISE EXCEPTION 'at the bottom'; END IF;
	RETURN deep(n - 1);
END $$;
SELECT deep(30);
CREATE FUNCTION endless() RETURNS int LANGUAGE plpgsql AS
	$$ BEGIN RETURN endless(); END $$;
SET max_stack_depth = '200kB';
SELECT endless();
SELECT caught(10);
