import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { isInstalled } from '../support/running/installed.ts'

const root = resolve(import.meta.dirname, '../..')
const launch = (name: string): string => join(root, 'server/launch', name)

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; action: string }
}

const { groups } = parse(readFileSync(launch('alerts.yml'), 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

/** An installation that is well, as Prometheus sees it each minute for an hour. */
const well: Record<string, string> = {
  'up{job="bursar-server", instance="s1"}': '1x60',
  'up{job="bursar-server", instance="s2"}': '1x60',
  'up{job="bursar-worker", instance="w1"}': '1x60',
  'up{job="bursar-proxy", instance="p1"}': '1x60',
  'bursar_up{part="database", instance="s1"}': '1x60',
  'bursar_up{part="saving", instance="s1"}': '1x60',
  'bursar_up{part="queue", instance="s1"}': '1x60',
  'bursar_clock_ahead_seconds{instance="w1"}': '0x60',
  'bursar_disk_free_ratio{instance="w1"}': '0.5x60',
  'bursar_backup_age_seconds{instance="s1"}': '3600+60x60',
  'bursar_rehearsal_age_seconds{instance="s1"}': '86400+60x60',
  'bursar_rehearsal_failed{instance="s1"}': '0x60',
  'bursar_certificate_seconds{instance="s1"}': '5000000-60x60',
  'bursar_redis_memory_bytes{kind="used"}': '100x60',
  'bursar_redis_memory_bytes{kind="limit"}': '1000x60',
  'bursar_database_connections{state="idle"}': '30x60',
  'bursar_database_connections{state="active"}': '5x60',
  'bursar_database_connection_limit{instance="s1"}': '97x60',
  'bursar_lock_wait_seconds{lock="table"}': '0x60',
  'bursar_lock_wait_seconds{lock="row"}': '0 6 0 1 0x56',
  'bursar_sign_ins_total{outcome="refused"}': '0+1x60',
  'bursar_refusals_total{organisation="7"}': '0+1x60',
  'bursar_queue_oldest_seconds{queue="outside"}': '1x60',
}

/** From the tenth minute on, something else. */
const from = (before: string, after: string): string => `${before}x9 ${after}x50`

/** Each fault, and the alarms that it raises within two minutes, or the minutes given. */
const faults: { fault: string; changed: Record<string, string>; alarms: string[]; minutes?: number }[] = [
  {
    fault: 'all servers are stopped',
    changed: { 'up{job="bursar-server", instance="s1"}': from('1', '0'), 'up{job="bursar-server", instance="s2"}': from('1', '0') },
    alarms: ['BursarServersGone'],
  },
  {
    fault: 'one of two servers is stopped',
    changed: { 'up{job="bursar-server", instance="s1"}': from('1', '0') },
    alarms: ['BursarProcessDown'],
  },
  {
    // A container that is gone is no longer found by its name.
    fault: 'all workers have disappeared',
    changed: { 'up{job="bursar-worker", instance="w1"}': '1x9 stale' },
    alarms: ['BursarWorkersGone'],
  },
  { fault: 'the proxy is gone', changed: { 'up{job="bursar-proxy", instance="p1"}': '1x9 stale' }, alarms: ['BursarProxyGone'] },
  {
    fault: 'the database is gone',
    changed: Object.fromEntries(
      ['database', 'saving', 'queue'].map((part) => [`bursar_up{part="${part}", instance="s1"}`, from('1', '0')]),
    ),
    alarms: ['BursarDatabaseAway'],
  },
  {
    fault: 'the disk of the database is full, or it is read-only',
    changed: { 'bursar_up{part="saving", instance="s1"}': from('1', '0') },
    alarms: ['BursarCannotSave'],
  },
  { fault: 'Redis is gone', changed: { 'bursar_up{part="queue", instance="s1"}': from('1', '0') }, alarms: ['BursarQueueAway'] },
  {
    fault: 'a clock is an hour behind',
    changed: { 'bursar_clock_ahead_seconds{instance="w1"}': from('0', '-3600') },
    alarms: ['BursarClockWrong'],
  },
  {
    fault: 'a disk is nearly full',
    changed: { 'bursar_disk_free_ratio{instance="w1"}': from('0.5', '0.05') },
    alarms: ['BursarDiskShort'],
    minutes: 6,
  },
  {
    fault: 'the rehearsal of a restore has failed',
    changed: { 'bursar_rehearsal_failed{instance="s1"}': from('0', '1') },
    alarms: ['BursarRehearsalFailed'],
  },
  {
    fault: 'Redis is nearly full',
    changed: { 'bursar_redis_memory_bytes{kind="used"}': from('100', '900') },
    alarms: ['BursarRedisMemoryShort'],
    minutes: 6,
  },
  {
    fault: 'the database has few connections left',
    changed: { 'bursar_database_connections{state="idle"}': from('30', '85') },
    alarms: ['BursarDatabaseConnectionsShort'],
  },
  {
    fault: 'somebody guesses passwords',
    changed: { 'bursar_sign_ins_total{outcome="refused"}': '0x9 100+100x50' },
    alarms: ['BursarSignInsRefused'],
    minutes: 3,
  },
  {
    fault: 'a program of one organisation sends too many calls',
    changed: { 'bursar_refusals_total{organisation="7"}': '0x9 1000+1000x50' },
    alarms: ['BursarOrganisationRefused'],
    minutes: 6,
  },
  {
    fault: 'somebody locks a table, for which each call waits six seconds',
    changed: { 'bursar_lock_wait_seconds{lock="table"}': from('0', '4') },
    alarms: ['BursarTableLocked'],
  },
  {
    fault: 'a transaction that does not end holds rows that people change',
    changed: { 'bursar_lock_wait_seconds{lock="row"}': from('0', '6') },
    alarms: ['BursarRowsLocked'],
    minutes: 6,
  },
  {
    fault: 'a job waits for half an hour',
    changed: { 'bursar_queue_oldest_seconds{queue="outside"}': from('1', '1800') },
    alarms: ['BursarWorkWaits'],
    minutes: 6,
  },
]

/** A rule test of promtool: no alarm before the fault, and these and no others after it. */
function toRuleTest({ fault, changed, alarms, minutes = 2 }: (typeof faults)[number]): object {
  const series = Object.entries({ ...well, ...changed }).map(([name, values]) => ({ series: name, values }))
  const names = `count by (alertname) (ALERTS{alertstate="firing"})`
  const expected = alarms.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 }))
  return {
    name: fault,
    interval: '1m',
    input_series: series,
    promql_expr_test: [
      { expr: names, eval_time: '9m', exp_samples: [] },
      { expr: names, eval_time: `${10 + minutes}m`, exp_samples: expected },
    ],
  }
}

describe('the alerting rules', () => {
  it('each say how severe they are, what happened and what to do, and have an entry in the runbook', () => {
    const runbook = readFileSync(join(root, 'docs/operators/alarms.md'), 'utf8')
    const entries = [...runbook.matchAll(/^\*\*(\w+)\*\* \((page|ticket)\)\. /gm)].map(([, name, severity]) => `${name} ${severity}`)
    expect(rules.length).toBeGreaterThan(20)
    expect(entries.sort()).toEqual(rules.map(({ alert, labels }) => `${alert} ${labels.severity}`).sort())
    for (const { alert, annotations } of rules)
      for (const text of [annotations.summary, annotations.action]) expect(text, alert).toMatch(/\.$/)
  })
  it('use the job names of the scrape configuration, which reads every part', () => {
    const { scrape_configs, rule_files } = parse(readFileSync(launch('prometheus.yml'), 'utf8')) as {
      scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[]
      rule_files: string[]
    }
    expect(rule_files).toEqual(['alerts.yml'])
    const jobs = scrape_configs.map(({ job_name, dns_sd_configs: [to] }) => [job_name, to!.names[0], to!.port])
    expect(jobs).toEqual([
      ['bursar-server', 'server', 9464],
      ['bursar-worker', 'worker', 9464],
      ['bursar-proxy', 'proxy', 9180],
    ])
    const used = new Set(rules.flatMap(({ expr }) => [...expr.matchAll(/job="([^"]+)"/g)].map(([, job]) => job)))
    expect([...used].sort()).toEqual(jobs.map(([job]) => job).sort())
    expect(readFileSync(launch('Caddyfile'), 'utf8')).toContain(':9180 {\n\tmetrics\n}')
    const { services } = parse(readFileSync(launch('watching.yml'), 'utf8'))
    for (const name of ['server', 'worker']) expect(services[name].environment).toEqual({ METRICS_PORT: 9464 })
  })
  it('watch only metrics of which the dashboard has a graph', () => {
    const dashboard = readFileSync(launch('dashboard.json'), 'utf8')
    const watched = new Set(rules.flatMap(({ expr }) => expr.match(/bursar_\w+/g) ?? []))
    expect(watched.size).toBeGreaterThan(20)
    expect([...watched].filter((name) => !dashboard.includes(name))).toEqual([])
  })
  it('are accepted by Prometheus, and raise exactly the right alarm for each fault', ({ skip }) => {
    if (!isInstalled('promtool')) skip('promtool, which comes with Prometheus, is not installed.')
    const folder = mkdtempSync(join(tmpdir(), 'bursar-alerts-'))
    try {
      execFileSync('promtool', ['check', 'config', '--syntax-only', launch('prometheus.yml')])
      const quiet = { fault: 'nothing is wrong', changed: {}, alarms: [], minutes: 40 }
      const tests = [quiet, ...faults].map(toRuleTest)
      writeFileSync(join(folder, 'tests.yml'), stringify({ rule_files: [launch('alerts.yml')], evaluation_interval: '1m', tests }))
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', join(folder, 'tests.yml')], { encoding: 'utf8' })
      expect(status, stdout + stderr).toBe(0)
      // A rule test that expects another alarm fails, so the tests above are really carried out.
      const wrong = toRuleTest({ fault: 'nothing is wrong', changed: {}, alarms: ['BursarServersGone'] })
      writeFileSync(join(folder, 'wrong.yml'), stringify({ rule_files: [launch('alerts.yml')], evaluation_interval: '1m', tests: [wrong] }))
      expect(spawnSync('promtool', ['test', 'rules', join(folder, 'wrong.yml')]).status).not.toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
