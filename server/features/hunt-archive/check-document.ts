import type { HuntDocument } from '../../../contracts/hunt-archive.ts'
import { invalidInput } from '../../kernel/errors.ts'
import type { ArchiveList } from './archive-table.ts'
import { archiveTables } from './archive-tables.ts'

type Issue = { path: PropertyKey[]; message: string }

/** So many are named; a file that is broken throughout need not be told of ten thousand times. */
const mostIssues = 50

/**
 * What the schema of one entry cannot say: that entries refer to what is there, and what the tables hold together. The form was made by
 * us or by somebody else's program, so nothing is taken for granted.
 * @throws AppError invalid_input that names entries by their place
 */
export function requireSoundDocument(document: HuntDocument): void {
  const issues: Issue[] = []
  for (const { list, columns } of archiveTables) {
    for (const { field, refersTo } of Object.values(columns)) {
      if (refersTo) checkPlaces(document, list, field, refersTo, issues)
    }
  }
  // What follows reads what these refer to.
  if (issues.length === 0) for (const check of checks) check(document, issues)
  if (issues.length > 0) throw invalidInput(issues.slice(0, mostIssues))
}

function checkPlaces(document: HuntDocument, list: ArchiveList, field: string, refersTo: ArchiveList, issues: Issue[]): void {
  const { length } = document[refersTo]
  for (const [i, row] of (document[list] as readonly Record<string, unknown>[]).entries()) {
    const places = [row[field]].flat().filter((place) => typeof place === 'number')
    if (places.some((place) => place >= length)) issues.push({ path: [list, i, field], message: `There is no such place in ${refersTo}` })
  }
}

type Check = (document: HuntDocument, issues: Issue[]) => void

/** Names each entry whose key another one before it has. */
function requireDistinct(list: ArchiveList, keys: readonly string[], message: string, issues: Issue[]): void {
  const seen = new Set<string>()
  for (const [i, key] of keys.entries()) {
    if (seen.has(key)) issues.push({ path: [list, i], message })
    seen.add(key)
  }
}

const checks: readonly Check[] = [
  ({ hunt }, issues) => {
    if (hunt.isActive !== (hunt.completedOn === null)) issues.push({ path: ['hunt', 'completedOn'], message: 'A completed hunt says when' })
  },
  ({ hunt, genotypes }, issues) => {
    requireDistinct(
      'genotypes',
      genotypes.map(({ number }) => String(number)),
      'Another one has this number',
      issues,
    )
    if (genotypes.some(({ number }) => number >= hunt.nextNumber)) {
      issues.push({ path: ['hunt', 'nextNumber'], message: 'Must be above every number that was given' })
    }
  },
  ({ plants }, issues) => {
    requireDistinct(
      'plants',
      plants.map(({ genotype, copy }) => `${genotype} ${copy}`),
      'Another plant is this copy',
      issues,
    )
    for (const [i, { endedOn, endedHow }] of plants.entries()) {
      if ((endedOn === null) !== (endedHow === null))
        issues.push({ path: ['plants', i, 'endedHow'], message: 'What has ended says when and how' })
    }
  },
  ({ seedLots }, issues) => {
    for (const [i, { isSelfed, father, fatherGenotype }] of seedLots.entries()) {
      if (isSelfed && (father !== '' || fatherGenotype !== null))
        issues.push({ path: ['seedLots', i, 'father'], message: 'What is selfed has no father' })
    }
  },
  ({ placements }, issues) => {
    requireDistinct(
      'placements',
      placements.map(({ run, plant }) => `${run} ${plant}`),
      'The plant stands in this run already',
      issues,
    )
    const places = placements.map(({ run, benchRow, benchColumn }, i) =>
      benchRow === null ? `none ${i}` : `${run} ${benchRow} ${benchColumn}`,
    )
    requireDistinct('placements', places, 'Another plant stands there', issues)
    for (const [i, { benchRow, benchColumn }] of placements.entries()) {
      if ((benchRow === null) !== (benchColumn === null))
        issues.push({ path: ['placements', i], message: 'A place has a row and a column' })
    }
  },
  ({ traits }, issues) => {
    for (const [i, trait] of traits.entries()) {
      const { direction, kind, low, high, target, source, analyte } = trait
      const issue = (field: keyof typeof trait, message: string) => issues.push({ path: ['traits', i, field], message })
      if ((source === 'lab') !== (analyte !== null)) issue('analyte', 'A trait from a lab names its analyte, and no other does')
      if (direction === 'none') continue
      if (kind !== 'ordinal' && kind !== 'number') issue('direction', 'Only numbers and scales are scored')
      if (low === null || high === null || low >= high) issue('high', 'What is scored has a lower and a higher end')
      else if (direction === 'target' && (target === null || target < low || target > high)) issue('target', 'Lies between both ends')
    }
  },
  ({ observations, traits }, issues) => {
    for (const [i, observation] of observations.entries()) {
      const { valueNumber, valueDate, valueOptions, isWithdrawn, corrects } = observation
      const issue = (message: string) => issues.push({ path: ['observations', i], message })
      const values = [valueNumber, valueDate, valueOptions].filter((value) => value !== null).length
      if (values !== (isWithdrawn ? 0 : 1)) issue(isWithdrawn ? 'What was taken back has no value' : 'Has one value')
      if (isWithdrawn && corrects === null) issue('What was taken back corrects something')
      if (traits[observation.trait]?.kind === 'photo') issue('Photos are not in a document')
      if (corrects !== null && corrects >= i) issue('Corrects an observation that stands before it')
      const before = corrects === null ? null : observations[corrects]
      if (before && (before.trait !== observation.trait || before.plant !== observation.plant || before.isCurrent)) {
        issue('Corrects an observation of the same trait and plant that stands no more')
      }
    }
    const corrections = observations.flatMap(({ corrects }) => corrects ?? [])
    if (new Set(corrections).size < corrections.length)
      issues.push({ path: ['observations'], message: 'An observation is corrected twice' })
    const corrected = new Set(corrections)
    if (observations.some(({ isCurrent }, i) => isCurrent === corrected.has(i))) {
      issues.push({ path: ['observations'], message: 'An observation stands exactly as long as none corrects it' })
    }
  },
  ({ growLogVersions, growLogs }, issues) => {
    requireDistinct(
      'growLogVersions',
      growLogVersions.map(({ growLog, version }) => `${growLog} ${version}`),
      'This version comes twice',
      issues,
    )
    for (const [i, { growLog, version, said }] of growLogVersions.entries()) {
      if (version >= (growLogs[growLog]?.version ?? 0))
        issues.push({ path: ['growLogVersions', i, 'version'], message: 'Must lie before the log’s own' })
      if (said.plant !== null && said.plant < 0) issues.push({ path: ['growLogVersions', i, 'said'], message: 'There is no such plant' })
    }
  },
  ({ growLogVersions, plants }, issues) => {
    for (const [i, { said }] of growLogVersions.entries()) {
      if (said.plant !== null && said.plant >= plants.length) {
        issues.push({ path: ['growLogVersions', i, 'said'], message: 'There is no such place in plants' })
      }
    }
  },
  ({ harvests }, issues) =>
    requireDistinct(
      'harvests',
      harvests.map(({ plant }) => String(plant)),
      'This plant has another harvest',
      issues,
    ),
  ({ labResults }, issues) => {
    for (const [i, { value, quantificationLimit }] of labResults.entries()) {
      if (value === null && quantificationLimit === null)
        issues.push({ path: ['labResults', i, 'value'], message: 'Has a value, or a limit below which it lies' })
    }
  },
  ({ tasks }, issues) => {
    for (const [i, { follows }] of tasks.entries()) {
      if (follows !== null && follows >= i) issues.push({ path: ['tasks', i, 'follows'], message: 'Comes of a task that stands before it' })
    }
    const made = tasks.flatMap(({ follows }) => follows ?? [])
    if (new Set(made).size < made.length) issues.push({ path: ['tasks'], message: 'Two tasks come of the same one' })
  },
  ({ climateTargets }, issues) => {
    requireDistinct(
      'climateTargets',
      climateTargets.map(({ stage, measure }) => `${stage} ${measure}`),
      'Another target is for the same',
      issues,
    )
    for (const [i, { low, high }] of climateTargets.entries()) {
      if (high < low) issues.push({ path: ['climateTargets', i, 'high'], message: 'Must not be below the lower end' })
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
      'The sensor has a reading of this time',
      issues,
    ),
  ({ panelTraits }, issues) =>
    requireDistinct(
      'panelTraits',
      panelTraits.map(({ blindPanel, trait }) => `${blindPanel} ${trait}`),
      'The panel asks for this trait already',
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
      'The card says this already',
      issues,
    )
    for (const [i, { valueNumber, valueOptions }] of panelScores.entries()) {
      if ((valueNumber === null) === (valueOptions === null)) issues.push({ path: ['panelScores', i], message: 'Has one value' })
    }
  },
]
