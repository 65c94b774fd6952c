import type { InsightStep } from '../../../contracts/insights.ts'
import type { InsightRange } from '../dashboard/dashboard-search.ts'

export const ranges: Record<InsightRange, { label: string; days: number; steps: readonly InsightStep[] }> = {
  '7d': { label: '7 days', days: 7, steps: ['day'] },
  '28d': { label: '28 days', days: 28, steps: ['day', 'week'] },
  '90d': { label: '90 days', days: 90, steps: ['day', 'week', 'month'] },
  '12m': { label: '12 months', days: 365, steps: ['week', 'month'] },
}

export const usualRange: InsightRange = '28d'

/** The step that was asked for, as long as the range has few enough of them to tell apart, and enough to compare. */
export function stepOf(range: InsightRange, wanted: InsightStep | undefined): InsightStep {
  const { steps } = ranges[range]
  return wanted && steps.includes(wanted) ? wanted : (steps[0] as InsightStep)
}
