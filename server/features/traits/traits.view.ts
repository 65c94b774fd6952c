import type { Trait, TraitOption } from '#contracts/traits.ts'
import type { TraitRow } from './traits.queries.ts'

export const toTrait = (row: TraitRow): Trait => ({
  id: row.id,
  huntId: row.hunt_id,
  name: row.name,
  kind: row.kind as Trait['kind'],
  source: row.source as Trait['source'],
  analyte: row.analyte,
  unit: row.unit,
  options: row.options as TraitOption[],
  direction: row.direction as Trait['direction'],
  low: row.low,
  high: row.high,
  target: row.target,
  weight: row.weight,
  heritability: row.heritability,
  fromStage: row.from_stage as Trait['fromStage'],
  toStage: row.to_stage as Trait['toStage'],
  isExpert: row.is_expert,
  position: row.position,
  isArchived: row.is_archived,
  valuesCount: Number(row.values_count),
  version: row.version,
})
