import type { GuideProgress, GuideStep } from '#contracts/guide.ts'

export type Change = Partial<Pick<GuideProgress, 'current' | 'isDismissed' | 'usesModel'>> & { marked?: string[] }

export const markedOf = ({ steps }: GuideProgress): string[] => steps.filter(({ doneBy }) => doneBy === 'mark').map(({ id }) => id)

export function afterChange(progress: GuideProgress, { marked, ...change }: Change): GuideProgress {
  const steps = marked
    ? progress.steps.map((step) => {
        const doneBy = step.doneBy === 'record' ? step.doneBy : marked.includes(step.id) ? ('mark' as const) : null
        return { ...step, doneBy, isDone: doneBy !== null }
      })
    : progress.steps
  return { ...progress, ...change, steps, completed: steps.filter(({ isDone }) => isDone).length }
}

/** The next open step after this one, wrapping around; null if there is no other. */
export function nextStep(steps: readonly GuideStep[], current: string | null): GuideStep | null {
  const at = steps.findIndex(({ id }) => id === current)
  const around = [...steps.slice(at + 1), ...steps.slice(0, Math.max(0, at))]
  return around.find(({ isDone }) => !isDone) ?? null
}
