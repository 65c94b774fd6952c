import type { GrowthStage } from '../../../contracts/grow-logs.ts'
import { type Measure, shown, type Units, unitName } from '../../lib/units.ts'

type Range = { low: number; high: number; note?: string }

/** What most growers see, by field and stage; `any` where the stage makes no difference or is not known. */
type Usual = Partial<Record<GrowthStage | 'any', Range>>

/**
 * Hints beside an input, never limits: growers' guides and makers of sensors disagree, and cultivars and rooms differ. Temperatures by day.
 */
export const usualRanges: Readonly<Record<string, Usual>> = {
  vpdKpa: {
    germination: { low: 0.4, high: 0.8 },
    seedling: { low: 0.4, high: 0.8, note: 'clones about 0.8' },
    vegetative: { low: 0.8, high: 1.3 },
    flower: { low: 1.2, high: 1.8 },
  },
  airCelsius: {
    seedling: { low: 21, high: 28 },
    vegetative: { low: 21, high: 30, note: 'nights 18–24 °C' },
    flower: { low: 21, high: 27 },
    any: { low: 21, high: 30 },
  },
  humidityPercent: { any: { low: 50, high: 80 } },
  ecIn: {
    seedling: { low: 0.2, high: 0.5, note: 'coco 0.8–1.2' },
    vegetative: { low: 1, high: 2 },
    flower: { low: 1.5, high: 2.5 },
    any: { low: 0.2, high: 2.5 },
  },
  phIn: { any: { low: 5.5, high: 7, note: 'soil 6.0–7.0, hydro and coco 5.5–6.5' } },
}

export const rangesDisagree = 'Usual ranges are hints: sources disagree, and plants and rooms differ.'

/** "Usual in flower: 21–27 °C"; null where nothing is usual. */
export function usualHint(field: string, stage: GrowthStage | null, measure: Measure, units: Units): string | null {
  const usual = usualRanges[field]
  const range = (stage && usual?.[stage]) ?? usual?.any
  if (!range) return null
  const figure = (value: number) => String(shown(value, measure, units))
  const unit = measure === 'plain' ? '' : ` ${unitName(measure, units)}`
  const where = stage && usual?.[stage] ? ` in ${stageInSentence[stage]}` : ''
  // A note in °C says nothing to who reads °F.
  const note = range.note && !(measure === 'temperature' && units.temperature === 'F') ? ` (${range.note})` : ''
  return `Usual${where}: ${figure(range.low)}–${figure(range.high)}${unit}${note}`
}

const stageInSentence: Record<GrowthStage, string> = {
  germination: 'germination',
  seedling: 'seedlings',
  vegetative: 'veg',
  flower: 'flower',
  drying: 'drying',
  curing: 'curing',
}
