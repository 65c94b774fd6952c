import { type ComponentType, lazy, Suspense } from 'react'
import type { SubmittedText } from '#compliance/rules.ts'

/** If the chunk fails to load, for example after a deployment, people can write without hints. */
const HintsList = lazy<ComponentType<{ words: SubmittedText }>>(() =>
  import('./hints-list.tsx').then(
    (module) => ({ default: module.HintsList }),
    () => ({ default: () => null }),
  ),
)

/**
 * As people type, shows what would be refused or held, and other advice, with reasons. People can still submit text unless it would be
 * refused. The rules load with the first word.
 */
export function ComplianceHints({ words }: { words: SubmittedText }) {
  const isEmpty = words.texts.every((text) => text.trim() === '')
  return isEmpty ? null : (
    <Suspense fallback={null}>
      <HintsList words={words} />
    </Suspense>
  )
}
