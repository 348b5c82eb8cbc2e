import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

interface Lags {
  count: number
  p50: number
  p99: number
  max: number
}

const PATIENCE_MS = 30_000

/**
 * Notes, for every wake-up from here on, the transaction that wrote it and the moment at which a step took it. Both
 * moments are PostgreSQL's, so no two clocks are compared; the trigger's own rows make the figures worse, not better.
 */
export async function recordLags(database: pg.Client): Promise<{ read(): Promise<Lags> }> {
  await database.query(`
    create table bench_wakeup (id bigint primary key, written_by xid, taken_at timestamptz);
    create function bench_written() returns trigger language plpgsql as $$ begin
      insert into bench_wakeup values (new.id, pg_current_xact_id()::xid);
      return null; end $$;
    create function bench_taken() returns trigger language plpgsql as $$ begin
      update bench_wakeup set taken_at = clock_timestamp() where id = old.id;
      return null; end $$;
    create trigger bench_written after insert on wakeup for each row when (new.reason <> '') execute function bench_written();
    create trigger bench_taken after delete on wakeup for each row execute function bench_taken();`)
  return {
    async read() {
      await everyOneTaken(database)
      const { rows } = await database.query(`
        with lag as (select 1000 * extract(epoch from taken_at - pg_xact_commit_timestamp(written_by)) as ms
          from bench_wakeup)
        select count(*)::int as count, max(ms)::float8 as max, percentile_cont(0.5) within group (order by ms) as p50,
          percentile_cont(0.99) within group (order by ms) as p99 from lag`)
      return rows[0]
    },
  }
}

async function everyOneTaken(database: pg.Client): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await database.query('select count(*)::int as missing from bench_wakeup where taken_at is null')
    if (rows[0].missing === 0) return
    if (Date.now() > deadline) throw new Error(`${rows[0].missing} wake-ups were never taken`)
    await sleep(100)
  }
}
