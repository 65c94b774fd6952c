import type { HuntDocument } from '#contracts/hunt-archive.endpoints.ts'
import { maxPhotosOfLog } from '#contracts/limits.ts'
import { invalidInput } from '#server/kernel/errors.ts'
import type { ArchiveList } from './archive-table.ts'
import { archiveTables } from './archive-tables.ts'

type Issue = { path: PropertyKey[]; message: string }

const maxIssues = 50

/**
 * Checks what the schema of a single entry can't: references between entries and the tables' constraints. The document may come from any
 * program.
 * @throws AppError invalid_input that names entries by index
 */
export function requireSoundDocument(document: HuntDocument): void {
  const issues: Issue[] = []
  for (const { list, columns } of archiveTables) {
    for (const { field, refersTo } of Object.values(columns)) {
      if (refersTo) checkPlaces(document, list, field, refersTo, issues)
    }
  }
  for (const [i, { growLog, score }] of (document.photos ?? []).entries()) {
    const places = { growLogs: growLog, traits: score?.trait, plants: score?.plant, runs: score?.run }
    for (const [list, place] of Object.entries(places)) {
      if (typeof place === 'number' && place >= document[list as keyof typeof places].length)
        issues.push({ path: ['photos', i], message: `Refers to an entry that isn’t in ${list}` })
    }
  }
  // The following checks need valid references.
  if (issues.length === 0) for (const check of checks) check(document, issues)
  if (issues.length > 0) throw invalidInput(issues.slice(0, maxIssues))
}

function checkPlaces(document: HuntDocument, list: ArchiveList, field: string, refersTo: ArchiveList, issues: Issue[]): void {
  const { length } = document[refersTo]
  for (const [i, row] of (document[list] as readonly Record<string, unknown>[]).entries()) {
    const places = [row[field]].flat().filter((place) => typeof place === 'number')
    if (places.some((place) => place >= length))
      issues.push({ path: [list, i, field], message: `Refers to an entry that isn’t in ${refersTo}` })
  }
}

type Check = (document: HuntDocument, issues: Issue[]) => void

function requireDistinct(list: ArchiveList, keys: readonly string[], message: string, issues: Issue[]): void {
  const seen = new Set<string>()
  for (const [i, key] of keys.entries()) {
    if (seen.has(key)) issues.push({ path: [list, i], message })
    seen.add(key)
  }
}

const checks: readonly Check[] = [
  ({ hunt }, issues) => {
    if (hunt.isActive !== (hunt.completedOn === null))
      issues.push({ path: ['hunt', 'completedOn'], message: 'A completed hunt must have a completion day' })
  },
  ({ hunt, genotypes }, issues) => {
    requireDistinct(
      'genotypes',
      genotypes.map(({ number }) => String(number)),
      'Another pheno has this number',
      issues,
    )
    if (genotypes.some(({ number }) => number >= hunt.nextNumber)) {
      issues.push({ path: ['hunt', 'nextNumber'], message: 'Must be above every number in use' })
    }
    for (const [i, { kind, standing }] of genotypes.entries()) {
      if (kind === 'check' && standing !== null)
        issues.push({ path: ['genotypes', i, 'standing'], message: 'A check clone can’t have a decision' })
    }
  },
  ({ plants }, issues) => {
    requireDistinct(
      'plants',
      plants.map(({ genotype, copy }) => `${genotype} ${copy}`),
      'Another plant has this copy number',
      issues,
    )
    for (const [i, { endedOn, endedHow }] of plants.entries()) {
      if ((endedOn === null) !== (endedHow === null))
        issues.push({ path: ['plants', i, 'endedHow'], message: 'An ended plant must have a day and a cause' })
    }
  },
  ({ seedLots }, issues) => {
    for (const [i, { isSelfed, father, fatherGenotype }] of seedLots.entries()) {
      if (isSelfed && (father !== '' || fatherGenotype !== null))
        issues.push({ path: ['seedLots', i, 'father'], message: 'A selfed lot can’t have a father' })
    }
  },
  ({ placements }, issues) => {
    requireDistinct(
      'placements',
      placements.map(({ run, plant }) => `${run} ${plant}`),
      'The plant is already in this run',
      issues,
    )
    const places = placements.map(({ run, benchRow, benchColumn }, i) =>
      benchRow === null ? `none ${i}` : `${run} ${benchRow} ${benchColumn}`,
    )
    requireDistinct('placements', places, 'Another plant is in this position', issues)
    for (const [i, { benchRow, benchColumn }] of placements.entries()) {
      if ((benchRow === null) !== (benchColumn === null))
        issues.push({ path: ['placements', i], message: 'A position must have a row and a column' })
    }
  },
  ({ traits }, issues) => {
    for (const [i, trait] of traits.entries()) {
      const { direction, kind, low, high, target, source, analyte } = trait
      const issue = (field: keyof typeof trait, message: string) => issues.push({ path: ['traits', i, field], message })
      if ((source === 'lab') !== (analyte !== null)) issue('analyte', 'A trait from a lab must have an analyte; other traits can’t')
      if (direction === 'none') continue
      if (kind !== 'ordinal' && kind !== 'number') issue('direction', 'Only numbers and scales can be scored')
      if (low === null || high === null || low >= high) issue('high', 'A scored trait must have a low end and a high end')
      else if (direction === 'target' && (target === null || target < low || target > high)) issue('target', 'Must be between the two ends')
    }
  },
  ({ observations, traits }, issues) => {
    for (const [i, observation] of observations.entries()) {
      const { valueNumber, valueDate, valueOptions, isWithdrawn, corrects } = observation
      const issue = (message: string) => issues.push({ path: ['observations', i], message })
      const values = [valueNumber, valueDate, valueOptions].filter((value) => value !== null).length
      if (values !== (isWithdrawn ? 0 : 1)) issue(isWithdrawn ? 'A withdrawn observation can’t have a value' : 'Must have one value')
      if (isWithdrawn && corrects === null) issue('A withdrawn observation must correct another one')
      if (traits[observation.trait]?.kind === 'photo') issue('A document can’t contain photos')
      if (corrects !== null && corrects >= i) issue('Must correct an earlier observation')
      const before = corrects === null ? null : observations[corrects]
      if (before && (before.trait !== observation.trait || before.plant !== observation.plant || before.isCurrent)) {
        issue('Must correct an outdated observation of the same trait and plant')
      }
    }
    const corrections = observations.flatMap(({ corrects }) => corrects ?? [])
    if (new Set(corrections).size < corrections.length)
      issues.push({ path: ['observations'], message: 'An observation is corrected twice' })
    const corrected = new Set(corrections)
    if (observations.some(({ isCurrent }, i) => isCurrent === corrected.has(i))) {
      issues.push({ path: ['observations'], message: 'An observation must be current unless another one corrects it' })
    }
  },
  ({ photos = [], traits }, issues) => {
    const files = new Set<string>()
    const counts = new Map<number, number>()
    for (const [i, { file, growLog, score }] of photos.entries()) {
      const issue = (message: string) => issues.push({ path: ['photos', i], message })
      if (files.has(file)) issue('Another photo has this file')
      files.add(file)
      if ((growLog === null) === (score === null)) issue('Must belong to either a log or a score')
      if (score && traits[score.trait]?.kind !== 'photo') issue('The trait of this score doesn’t accept photos')
      if (growLog === null) continue
      const count = (counts.get(growLog) ?? 0) + 1
      counts.set(growLog, count)
      if (count > maxPhotosOfLog) issue(`A log can have up to ${maxPhotosOfLog} photos`)
    }
  },
  ({ growLogVersions, growLogs }, issues) => {
    requireDistinct(
      'growLogVersions',
      growLogVersions.map(({ growLog, version }) => `${growLog} ${version}`),
      'This version is listed twice',
      issues,
    )
    for (const [i, { growLog, version, said }] of growLogVersions.entries()) {
      if (version >= (growLogs[growLog]?.version ?? 0))
        issues.push({ path: ['growLogVersions', i, 'version'], message: 'Must be below the log’s own version' })
      if (said.plant !== null && said.plant < 0)
        issues.push({ path: ['growLogVersions', i, 'said'], message: 'Refers to an unknown plant' })
    }
  },
  ({ growLogVersions, plants }, issues) => {
    for (const [i, { said }] of growLogVersions.entries()) {
      if (said.plant !== null && said.plant >= plants.length) {
        issues.push({ path: ['growLogVersions', i, 'said'], message: 'Refers to an entry that isn’t in plants' })
      }
    }
  },
  ({ harvests }, issues) =>
    requireDistinct(
      'harvests',
      harvests.map(({ plant }) => String(plant)),
      'This plant already has a harvest',
      issues,
    ),
  ({ labResults }, issues) => {
    for (const [i, { value, quantificationLimit }] of labResults.entries()) {
      if (value === null && quantificationLimit === null)
        issues.push({ path: ['labResults', i, 'value'], message: 'Must have a value or a limit of quantification' })
    }
  },
  ({ tasks }, issues) => {
    for (const [i, { follows }] of tasks.entries()) {
      if (follows !== null && follows >= i) issues.push({ path: ['tasks', i, 'follows'], message: 'Must follow an earlier task' })
    }
    const made = tasks.flatMap(({ follows }) => follows ?? [])
    if (new Set(made).size < made.length) issues.push({ path: ['tasks'], message: 'Two tasks follow the same one' })
  },
  ({ climateTargets }, issues) => {
    requireDistinct(
      'climateTargets',
      climateTargets.map(({ stage, measure }) => `${stage} ${measure}`),
      'Another target has this stage and measure',
      issues,
    )
    for (const [i, { low, high }] of climateTargets.entries()) {
      if (high < low) issues.push({ path: ['climateTargets', i, 'high'], message: 'Must not be below the low end' })
    }
  },
  ({ climateSensors }, issues) =>
    requireDistinct(
      'climateSensors',
      climateSensors.map(({ name }) => name),
      'Another sensor has this name',
      issues,
    ),
  ({ climateReadings }, issues) =>
    requireDistinct(
      'climateReadings',
      climateReadings.map(({ climateSensor, readAt }) => `${climateSensor} ${Date.parse(readAt)}`),
      'The sensor already has a reading at this time',
      issues,
    ),
  ({ panelTraits }, issues) =>
    requireDistinct(
      'panelTraits',
      panelTraits.map(({ blindPanel, trait }) => `${blindPanel} ${trait}`),
      'The panel lists this trait twice',
      issues,
    ),
  ({ panelJars }, issues) => {
    requireDistinct(
      'panelJars',
      panelJars.map(({ blindPanel, jarName }) => `${blindPanel} ${jarName}`),
      'Another jar has this name',
      issues,
    )
    requireDistinct(
      'panelJars',
      panelJars.map(({ blindPanel, plant }) => `${blindPanel} ${plant}`),
      'The plant is in another jar',
      issues,
    )
  },
  ({ panelCards }, issues) =>
    requireDistinct(
      'panelCards',
      panelCards.map(({ panelJar, cardNumber }) => `${panelJar} ${cardNumber}`),
      'Another card has this number',
      issues,
    ),
  ({ panelScores }, issues) => {
    requireDistinct(
      'panelScores',
      panelScores.map(({ panelCard, trait }) => `${panelCard} ${trait}`),
      'The card has another answer for this trait',
      issues,
    )
    for (const [i, { valueNumber, valueOptions }] of panelScores.entries()) {
      if ((valueNumber === null) === (valueOptions === null)) issues.push({ path: ['panelScores', i], message: 'Must have one value' })
    }
  },
]
