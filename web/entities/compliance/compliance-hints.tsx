import { type ComponentType, lazy, Suspense } from 'react'
import type { Words } from '#compliance/words.ts'

/** If the chunk fails to load, for example after a deployment, hints are omitted, and writing isn't affected. */
const HintsList = lazy<ComponentType<{ words: Words }>>(() =>
  import('./hints-list.tsx').then(
    (module) => ({ default: module.HintsList }),
    () => ({ default: () => null }),
  ),
)

/**
 * Shows while typing what would be held or refused, and why. Doesn't prevent submitting what would only be held. The rules load with
 * the first word.
 */
export function ComplianceHints({ words }: { words: Words }) {
  const isEmpty = words.texts.every((text) => text.trim() === '')
  return isEmpty ? null : (
    <Suspense fallback={null}>
      <HintsList words={words} />
    </Suspense>
  )
}
