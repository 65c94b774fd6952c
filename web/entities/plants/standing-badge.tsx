import type { Standing } from '#contracts/plants.ts'
import { Badge } from '#web/ui/badge.tsx'
import { standingLabels } from './plant-words.ts'

const variants = { keep: 'leaf', breed: 'leaf', retest: 'outline', cull: 'clay' } as const

export const StandingBadge = ({ standing }: { standing: Standing }) => (
  <Badge variant={variants[standing]}>{standingLabels[standing]}</Badge>
)
