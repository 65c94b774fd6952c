import { lazy, Suspense } from 'react'
import type { Words } from '../../../compliance/words.ts'

const HintsList = lazy(async () => ({ default: (await import('./hints-list.tsx')).HintsList }))

/**
 * What of these words would wait for a moderator or be refused, and why, while they are typed. It keeps nobody from sending what would
 * only wait. The rules load with the first word.
 */
export function ComplianceHints({ words }: { words: Words }) {
  const isEmpty = words.texts.every((text) => text.trim() === '')
  return isEmpty ? null : (
    <Suspense fallback={null}>
      <HintsList words={words} />
    </Suspense>
  )
}
