import { Counter, Histogram, Registry } from 'prom-client'
import type { OrganisationId } from '../../../domain/values/ids.ts'

/** What a process has counted since its start. Label values are fixed names of ours, never personal data or amounts. */
export const metricsRegistry = new Registry()

const calls = new Counter({
  name: 'bursar_calls_total',
  help: 'Calls, by procedure and outcome: ok, failed, or the reason for the refusal',
  labelNames: ['procedure', 'outcome'],
  registers: [metricsRegistry],
})
const callSeconds = new Histogram({
  name: 'bursar_call_seconds',
  help: 'Duration of calls that read and calls that write',
  labelNames: ['type'],
  buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
  registers: [metricsRegistry],
})
const jobSeconds = new Histogram({
  name: 'bursar_job_seconds',
  help: 'Duration of jobs, by kind and outcome',
  labelNames: ['kind', 'outcome'],
  buckets: [0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300],
  registers: [metricsRegistry],
})
const recalculationSeconds = new Histogram({
  name: 'bursar_recalculation_seconds',
  help: 'Time from the request until every budget of a recalculation was done',
  buckets: [0.3, 1, 3, 10, 30, 100, 300, 1000],
  registers: [metricsRegistry],
})
const reports = new Counter({
  name: 'bursar_reports_read_total',
  help: 'Reads that may use the replica, by result: read from the replica, or the reason why the primary database was used',
  labelNames: ['from'],
  registers: [metricsRegistry],
})

const signIns = new Counter({
  name: 'bursar_sign_ins_total',
  help: 'Sign-ins, by outcome: ok, or refused for a wrong password, passkey or code, or for too many attempts',
  labelNames: ['outcome'],
  registers: [metricsRegistry],
})
const refusals = new Counter({
  name: 'bursar_refusals_total',
  help: 'Calls refused by the rate limit, by the id of the organisation',
  labelNames: ['organisation'],
  registers: [metricsRegistry],
})

export interface CountedCall {
  procedure: string
  /** `ok`, `failed`, or the code of a refusal. */
  outcome: string
  type: string
  seconds: number
}

/** Where a report was read: the replica, or why not. */
interface CountedReport {
  from: string
}

/** A call refused by the rate limit, and an organisation that the caller belongs to. */
interface CountedRefusal {
  organisation: OrganisationId
}

export type CountedEvent = CountedCall | CountedReport | CountedRefusal

function addCount(one: CountedEvent): void {
  if ('from' in one) {
    reports.inc(one)
    return
  }
  if ('organisation' in one) {
    refusals.inc(one)
    return
  }
  const { procedure, outcome, type, seconds } = one
  calls.inc({ procedure, outcome })
  callSeconds.observe({ type }, seconds)
}

let receiveCount = addCount

/** Counts an answered call. */
export function countCall(call: CountedCall): void {
  receiveCount(call)
}

/** Counts a report that might be read from the replica. */
export function countReport(from: string): void {
  receiveCount({ from })
}

/** Counts a call refused by the rate limit, once for each organisation of the caller. */
export function countRefusal({ memberships }: { memberships: readonly { organisationId: OrganisationId }[] }): void {
  for (const { organisationId } of memberships) receiveCount({ organisation: organisationId })
}

export function countSignIn(outcome: 'ok' | 'refused'): void {
  signIns.inc({ outcome })
}

/** Makes a thread pass its counts to its process, because Prometheus scrapes only the process. */
export function forwardCounts(to: (one: CountedEvent) => void): void {
  receiveCount = to
}

/** Adds a count that a thread passed on. */
export function addForwardedCount(one: CountedEvent): void {
  addCount(one)
}

export function countJob(kind: string, outcome: 'done' | 'failed', seconds: number): void {
  jobSeconds.observe({ kind, outcome }, seconds)
}

export function countRecalculation(seconds: number): void {
  recalculationSeconds.observe(seconds)
}
