import type { CsvCell } from '#contracts/csv.ts'
import type { ArchiveTable, HuntDocument } from '#contracts/hunt-archive.endpoints.ts'
import type { ArchiveList } from './archive-table.ts'

/** Lists that no table needs. Sensor readings, by far the largest part of a hunt, have their own file. */
export const notInTables: readonly ArchiveList[] = [
  'growLogVersions',
  'tasks',
  'climateTargets',
  'climateSensors',
  'climateImports',
  'climateReadings',
]

type Table = { head: readonly string[]; lines: readonly (readonly CsvCell[])[] }

/** Shows plants and traits by name instead of index. Column headings state metric units. */
export function csvTable(document: HuntDocument, table: ArchiveTable): Table {
  return tables[table](document, namesIn(document))
}

type Names = {
  genotype: (place: number | null) => string
  plant: (place: number | null) => string
  run: (place: number | null) => string
}

function namesIn({ genotypes, plants, runs }: HuntDocument): Names {
  const genotype = (place: number | null) => (place === null ? '' : `#${genotypes[place]?.number ?? '?'}`)
  return {
    genotype,
    plant: (place) => {
      const plant = place === null ? undefined : plants[place]
      if (!plant) return ''
      return plant.copy === 0 ? genotype(plant.genotype) : `${genotype(plant.genotype)}-${plant.copy}`
    },
    run: (place) => (place === null ? '' : (runs[place]?.name ?? '')),
  }
}

const tables: Record<ArchiveTable, (document: HuntDocument, names: Names) => Table> = {
  plants: ({ plants, genotypes, seedLots }, names) => ({
    head: [
      'Plant',
      'Label',
      'Sex',
      'Status',
      'Mother',
      'Father',
      'Cut from',
      'Started',
      'Cut',
      'Rooted',
      'Kept as mother',
      'Ended',
      'Cause',
      'Notes',
    ],
    lines: plants.map((plant, i) => {
      const genotype = genotypes[plant.genotype]
      const lot = genotype?.seedLot == null ? undefined : seedLots[genotype.seedLot]
      return [
        names.plant(i),
        genotype?.label ?? '',
        genotype?.sex ?? '',
        genotype?.standing ?? '',
        lot ? lot.mother || names.genotype(lot.motherGenotype) : '',
        lot ? (lot.isSelfed ? 'selfed' : lot.father || names.genotype(lot.fatherGenotype)) : '',
        names.plant(plant.cutFrom),
        plant.startedOn,
        plant.cutOn,
        plant.rootedOn,
        plant.isMother,
        plant.endedOn,
        plant.endedHow,
        plant.notes,
      ]
    }),
  }),
  'grow-logs': ({ growLogs }, names) => ({
    head: [
      'Plant',
      'Date',
      'Week',
      'Stage',
      'Height (cm)',
      'Rating',
      'Notes',
      'Air (°C)',
      'Leaf (°C)',
      'Humidity (%)',
      'CO2 (ppm)',
      'PPFD (µmol/m²/s)',
      'EC in (mS/cm)',
      'EC out (mS/cm)',
      'pH in',
      'pH out',
      'Feed',
      'Pest control',
      'Training',
    ],
    lines: growLogs.map((log) => [
      log.plant === null ? 'whole hunt' : names.plant(log.plant),
      log.loggedOn,
      log.week,
      log.stage,
      log.heightCm,
      log.rating,
      log.notes,
      log.airCelsius,
      log.leafCelsius,
      log.humidityPercent,
      log.co2Ppm,
      log.ppfd,
      log.ecIn,
      log.ecOut,
      log.phIn,
      log.phOut,
      log.feed,
      log.pestControl,
      log.training,
    ]),
  }),
  scores: ({ observations, traits }, names) => ({
    head: ['Plant', 'Trait', 'Value', 'Unit', 'Date', 'Run', 'Blind', 'Current', 'Note'],
    lines: observations.map((observation) => {
      const trait = traits[observation.trait]
      const label = (value: number) => trait?.options.find((option) => option.value === value)?.label ?? String(value)
      const value =
        observation.valueNumber ??
        observation.valueDate ??
        (observation.valueOptions === null ? 'withdrawn' : observation.valueOptions.map(label).join('; '))
      return [
        names.plant(observation.plant),
        trait?.name ?? '',
        value,
        trait?.unit ?? '',
        observation.observedOn,
        names.run(observation.run),
        observation.isBlind,
        observation.isCurrent && !observation.isWithdrawn,
        observation.note,
      ]
    }),
  }),
  harvests: ({ harvests }, names) => ({
    head: ['Plant', 'Date', 'Run', 'Days of flower', 'Wet (g)', 'Dry (g)', 'Trim (g)', 'Wash yield (%)', 'Notes'],
    lines: harvests.map((harvest) => [
      names.plant(harvest.plant),
      harvest.harvestedOn,
      names.run(harvest.run),
      harvest.flowerDays,
      harvest.wetGrams,
      harvest.dryGrams,
      harvest.trimGrams,
      harvest.washYieldPercent,
      harvest.notes,
    ]),
  }),
  'lab-results': ({ labResults }, names) => ({
    head: ['Plant', 'Date', 'Lab', 'Sample', 'Analyte', 'Value', 'Unit', 'Limit of quantification'],
    lines: labResults.map((result) => [
      names.plant(result.plant),
      result.testedOn,
      result.lab,
      result.samplePosition,
      result.analyte,
      result.value ?? 'below the limit',
      result.unit,
      result.quantificationLimit,
    ]),
  }),
  decisions: ({ decisions }, names) => ({
    head: [
      'Phenotype',
      'Decision',
      'Date',
      'Reason',
      'Rank at the time',
      'Of',
      'Chance of being best at the time',
      'Plants ended',
      'Undone',
    ],
    lines: decisions.map((decision) => [
      names.genotype(decision.genotype),
      decision.kind,
      decision.decidedOn,
      decision.reason,
      decision.known.rank,
      decision.known.rankedOf,
      decision.known.chanceBest,
      decision.endedPlants.map(names.plant).join(' '),
      decision.undoneAt,
    ]),
  }),
}
