import type { Finding } from './findings.ts'
import { type Facts, judge } from './judge.ts'

/**
 * Findings that are new in an edited text. A finding with the same words in the earlier, published text was reviewed or accepted before.
 * A missing license always remains.
 */
export function remaining(text: string, findings: readonly Finding[], before: string, facts: Facts): Finding[] {
  if (before === '' || findings.length === 0) return [...findings]
  const known = new Set(judge(before, { ...facts, isRepeated: false }).map((finding) => keyOf(before, finding)))
  return findings.filter((finding) => finding.rule === 'license' || !known.has(keyOf(text, finding)))
}

const keyOf = (text: string, { rule, start, end }: Finding) => `${rule} ${text.slice(start, end).toLowerCase()}`
