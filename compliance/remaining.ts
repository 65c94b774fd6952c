import type { Finding } from './findings.ts'
import { type Facts, judge } from './judge.ts'

/**
 * The findings of a changed text that are new: what was found in the text before it in the same words, and is shown all the same, was
 * looked at or has stood there all along. Without a license nothing goes out again, changed or not.
 */
export function remaining(text: string, findings: readonly Finding[], before: string, facts: Facts): Finding[] {
  if (before === '' || findings.length === 0) return [...findings]
  const known = new Set(judge(before, { ...facts, isRepeated: false }).map((finding) => keyOf(before, finding)))
  return findings.filter((finding) => finding.rule === 'license' || !known.has(keyOf(text, finding)))
}

const keyOf = (text: string, { rule, start, end }: Finding) => `${rule} ${text.slice(start, end).toLowerCase()}`
