import { type ComponentType, lazy, Suspense } from 'react'
import type { Words } from '../../../compliance/words.ts'

/** Without its code, as when a newer version has come since, there are no hints; what is being written goes on. */
const HintsList = lazy<ComponentType<{ words: Words }>>(() =>
  import('./hints-list.tsx').then(
    (module) => ({ default: module.HintsList }),
    () => ({ default: () => null }),
  ),
)

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
