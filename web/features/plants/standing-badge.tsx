import type { Standing } from '../../../contracts/plants.ts'
import { Badge } from '../../ui/badge.tsx'
import { standingWords } from './plant-words.ts'

const variants = { keep: 'leaf', breed: 'leaf', retest: 'outline', cull: 'clay' } as const

/** Where a genotype stands. */
export const StandingBadge = ({ standing }: { standing: Standing }) => <Badge variant={variants[standing]}>{standingWords[standing]}</Badge>
