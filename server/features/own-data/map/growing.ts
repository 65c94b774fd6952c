import { sql } from 'kysely'
import { anyOf, own, type Tables, type Whose, withAccount, within } from './table-map.ts'

const hunts = (column = 'hunt_id'): Whose => within(column, 'hunts', own('owner_id'))
/** Selects rows in the person's own hunts, and their additions to other people's hunts. */
const withOwn = (column: string): Whose => anyOf(hunts(), own(column))
const someoneElse = 'May be someone else.'
const panels = within('panel_id', 'blind_panels', hunts())
const cards = within('jar_id', 'panel_jars', panels)
/** The owner may be a tester in a panel that hides its jars. */
const knownJars: Whose = within('panel_id', 'blind_panels', (id) => sql<boolean>`(not (is_open and hides_jars) and ${hunts()(id)})`)
const closedPanels: Whose = (id) => sql<boolean>`(not is_open and ${hunts()(id)})`
const withHunt = { with: 'hunts' } as const

/** Hunts are deleted with everything in them. In other people's hunts, figures remain; text, photos and names are deleted. */
export const growingTables: Tables = {
  hunts: {
    about: 'Your hunts. Each is also in hunts/ as a document that can be imported again.',
    people: { owner_id: 'row' },
    exported: { file: 'hunts', whose: own('owner_id') },
    erased: { by: 'hunts' },
  },
  hunt_shares: {
    about: 'People you share your hunts with, and hunts shared with you.',
    people: { user_id: 'row' },
    exported: { file: 'hunt-shares', whose: withOwn('user_id') },
    erased: withAccount,
  },
  hunt_comments: {
    about: 'Comments you wrote on hunts.',
    people: { author_id: 'row' },
    exported: { file: 'hunt-comments', whose: own('author_id') },
    erased: { by: 'hunt-comments' },
  },
  hunt_events: {
    about: 'What happened in your hunts, and what you did in other people’s.',
    people: { recorded_by: 'emptied' },
    exported: { file: 'hunt-events', whose: withOwn('recorded_by'), leftOut: { recorded_by: someoneElse } },
    erased: withHunt,
  },
  hunt_tasks: {
    about: 'Tasks in your hunts, and those you completed in other people’s.',
    people: { done_by: 'emptied' },
    exported: { file: 'hunt-tasks', whose: withOwn('done_by'), leftOut: { done_by: someoneElse } },
    erased: withHunt,
  },
  hunt_proofs: {
    about: 'Timestamped hashes of a hunt’s document. After the hunt or account is deleted, they no longer refer to it.',
    people: { made_by: 'emptied' },
    exported: { file: 'hunt-proofs', whose: own('made_by') },
    erased: { stays: 'A hash, for people who have the document.' },
  },
  seed_lots: { about: 'Seeds in your hunts.', exported: { file: 'seed-lots', whose: hunts() }, erased: withHunt },
  genotypes: { about: 'Genotypes in your hunts.', exported: { file: 'genotypes', whose: hunts() }, erased: withHunt },
  plants: { about: 'Plants in your hunts.', exported: { file: 'plants', whose: hunts() }, erased: withHunt },
  runs: { about: 'Runs in your hunts.', exported: { file: 'runs', whose: hunts() }, erased: withHunt },
  placements: {
    about: 'Where plants were in a run.',
    exported: { file: 'placements', whose: within('run_id', 'runs', hunts()) },
    erased: withHunt,
  },
  grow_logs: {
    about: 'Grow logs in your hunts, and those you wrote in other people’s.',
    people: { author_id: 'emptied' },
    exported: { file: 'grow-logs', whose: withOwn('author_id'), leftOut: { author_id: someoneElse } },
    erased: { by: 'grow-logs' },
  },
  grow_log_versions: {
    about: 'Earlier versions of the logs in grow-logs.json.',
    people: { changed_by: 'emptied' },
    exported: {
      file: 'grow-log-versions',
      whose: within('log_id', 'grow_logs', withOwn('author_id')),
      leftOut: { changed_by: someoneElse },
    },
    erased: { by: 'grow-logs' },
  },
  grow_log_photos: {
    about: 'Photos of the logs in grow-logs.json.',
    exported: { file: 'grow-log-photos', whose: within('log_id', 'grow_logs', withOwn('author_id')) },
    erased: { by: 'grow-logs' },
  },
  awaited_photos: {
    about: 'Photos of imported hunts that have not been uploaded.',
    exported: { file: 'awaited-photos', whose: hunts() },
    erased: withHunt,
  },
  traits: { about: 'What you measure in your hunts.', exported: { file: 'traits', whose: hunts() }, erased: withHunt },
  observations: {
    about: 'Scores in your hunts, and those you recorded in other people’s.',
    people: { observed_by: 'emptied' },
    exported: { file: 'observations', whose: withOwn('observed_by'), leftOut: { observed_by: someoneElse } },
    erased: { by: 'observations' },
  },
  harvests: { about: 'Harvests in your hunts.', exported: { file: 'harvests', whose: hunts() }, erased: withHunt },
  lab_results: { about: 'Lab results in your hunts.', exported: { file: 'lab-results', whose: hunts() }, erased: withHunt },
  decisions: {
    about: 'Decisions in your hunts, and those you made in other people’s.',
    people: { decided_by: 'emptied', undone_by: 'emptied' },
    exported: { file: 'decisions', whose: withOwn('decided_by'), leftOut: { decided_by: someoneElse, undone_by: someoneElse } },
    erased: { by: 'decisions' },
  },
  blind_panels: {
    about: 'Blind panels in your hunts.',
    people: { created_by: 'emptied', filled_by: 'emptied' },
    exported: { file: 'blind-panels', whose: hunts(), leftOut: { created_by: someoneElse, filled_by: someoneElse } },
    erased: withHunt,
  },
  panel_jars: {
    about: 'Jars in your panels. The hidden jars of an open panel are hidden from everyone, including you.',
    exported: { file: 'panel-jars', whose: knownJars },
    erased: withHunt,
  },
  panel_traits: { about: 'The questions in your panels.', exported: { file: 'panel-traits', whose: panels }, erased: withHunt },
  panel_cards: {
    about: 'Cards in your panels.',
    exported: {
      file: 'panel-cards',
      whose: cards,
      leftOut: { token_hash: 'A secret.', taster: 'Written by testers.', comment: 'Written by testers.' },
    },
    erased: withHunt,
  },
  panel_scores: {
    about: 'Scores by testers. The scores of an open panel are hidden from everyone, including you.',
    exported: {
      file: 'panel-scores',
      whose: within('card_id', 'panel_cards', within('jar_id', 'panel_jars', within('panel_id', 'blind_panels', closedPanels))),
    },
    erased: withHunt,
  },
  climate_sensors: { about: 'Sensors in your hunts.', exported: { file: 'climate-sensors', whose: hunts() }, erased: withHunt },
  sensor_keys: {
    about: 'Room keys in your hunts, and keys you created in other people’s hunts.',
    people: { created_by: 'row' },
    exported: {
      file: 'sensor-keys',
      whose: withOwn('created_by'),
      leftOut: { secret_hash: 'A secret.', secret_end: 'Part of a secret.', created_by: someoneElse },
    },
    erased: withAccount,
  },
  climate_targets: { about: 'Your climate targets.', exported: { file: 'climate-targets', whose: hunts() }, erased: withHunt },
  climate_imports: {
    about: 'Imported files of readings.',
    people: { imported_by: 'emptied' },
    exported: { file: 'climate-imports', whose: withOwn('imported_by'), leftOut: { imported_by: someoneElse } },
    erased: { by: 'climate-imports' },
  },
  climate_readings: {
    about: 'Readings from your sensors.',
    exported: { file: 'climate-readings', whose: within('sensor_id', 'climate_sensors', hunts()) },
    erased: withHunt,
  },
}
