import { sql } from 'kysely'
import { type ArchiveColumn, type ArchiveTable, inHunt, plain, to } from './archive-table.ts'

/** What was scored in a panel that is open is hidden from everybody. */
const closedPanels = inHunt('blind_panels', 'not is_open')
const jarsOfClosedPanels = (huntId: string) => sql`select id from panel_jars where panel_id in (${closedPanels(huntId)})`
const answered = 'answered_at is not null'
/** A jar's panel and name, by which cards are in an order that an import keeps. */
const ofJar = (jarId: string) => [
  `(select panel_id from panel_jars where panel_jars.id = ${jarId})`,
  `(select jar_name from panel_jars where panel_jars.id = ${jarId})`,
]

const recordedAt: ArchiveColumn = { field: 'recordedAt', isTime: true }

const measures = plain(
  'week',
  'stage',
  'height_cm',
  'rating',
  'notes',
  'air_celsius',
  'leaf_celsius',
  'humidity_percent',
  'co2_ppm',
  'ppfd',
  'ec_in',
  'ec_out',
  'ph_in',
  'ph_out',
  'feed',
  'pest_control',
  'training',
)

/**
 * Which columns of which tables make up a hunt. A hunt is read from its tables and written into them along this list alone, and a test
 * holds it against the schema: a column that is added is either here or left out on purpose.
 * They stand in the order in which they can be written.
 */
export const archiveTables: readonly ArchiveTable[] = [
  {
    list: 'seedLots',
    table: 'seed_lots',
    columns: {
      ...plain('mother', 'father'),
      mother_genotype_id: to('motherGenotype', 'genotypes', { isLate: true }),
      father_genotype_id: to('fatherGenotype', 'genotypes', { isLate: true }),
      ...plain('is_selfed', 'generation', 'breeder', 'seed_type', 'seed_count', 'source'),
    },
    leftOut: ['version', 'created_at'],
    order: ['id'],
    hasId: true,
    belongsBy: 'hunt_id',
  },
  {
    list: 'genotypes',
    table: 'genotypes',
    columns: { ...plain('number', 'label', 'sex', 'notes'), seed_lot_id: to('seedLot', 'seedLots'), ...plain('standing') },
    leftOut: ['version', 'created_at'],
    order: ['number'],
    hasId: true,
    belongsBy: 'hunt_id',
  },
  {
    list: 'plants',
    table: 'plants',
    columns: {
      genotype_id: to('genotype', 'genotypes'),
      ...plain('copy'),
      cut_from_id: to('cutFrom', 'plants', { isLate: true }),
      ...plain('started_on', 'cut_on', 'rooted_on', 'is_mother', 'notes', 'ended_on', 'ended_how'),
      ended_by_decision_id: to('endedByDecision', 'decisions', { isLate: true }),
    },
    // `kind` follows from the copy; a code is on the labels of the plant it was printed for.
    leftOut: ['kind', 'code', 'version', 'created_at'],
    order: ['(select number from genotypes where genotypes.id = genotype_id)', 'copy'],
    hasId: true,
    belongsBy: 'hunt_id',
  },
  {
    list: 'decisions',
    table: 'decisions',
    columns: {
      genotype_id: to('genotype', 'genotypes'),
      ...plain('kind', 'reason'),
      known: { field: 'known', isJson: true },
      ended_plant_ids: to('endedPlants', 'plants', { isArray: true }),
      ...plain('decided_on'),
      created_at: recordedAt,
      undone_at: { field: 'undoneAt', isTime: true },
    },
    leftOut: ['decided_by', 'undone_by'],
    order: ['created_at', 'id'],
    hasId: true,
    belongsBy: 'hunt_id',
  },
  {
    list: 'runs',
    table: 'runs',
    columns: {
      ...plain('name', 'room', 'medium', 'light', 'started_on', 'flowered_on', 'ended_on'),
      check_genotype_id: to('checkGenotype', 'genotypes'),
      ...plain('bench_rows', 'bench_columns'),
    },
    leftOut: ['version', 'created_at'],
    order: ['id'],
    hasId: true,
    belongsBy: 'hunt_id',
  },
  {
    list: 'placements',
    table: 'placements',
    columns: { run_id: to('run', 'runs'), plant_id: to('plant', 'plants'), ...plain('bench_row', 'bench_column') },
    leftOut: [],
    order: [
      'run_id',
      '(select number from genotypes where genotypes.id = (select genotype_id from plants where plants.id = plant_id))',
      '(select copy from plants where plants.id = plant_id)',
    ],
    hasId: false,
    belongsBy: { column: 'run_id', within: inHunt('runs') },
  },
  {
    list: 'traits',
    table: 'traits',
    columns: {
      ...plain('name', 'kind', 'source', 'analyte', 'unit'),
      options: { field: 'options', isJson: true },
      ...plain('direction', 'low', 'high', 'target', 'weight', 'heritability', 'from_stage', 'to_stage', 'is_expert', 'position'),
      ...plain('is_archived'),
    },
    leftOut: ['version', 'created_at'],
    order: ['position', 'id'],
    hasId: true,
    belongsBy: 'hunt_id',
  },
  {
    list: 'observations',
    table: 'observations',
    columns: {
      trait_id: to('trait', 'traits'),
      plant_id: to('plant', 'plants'),
      run_id: to('run', 'runs'),
      ...plain('observed_on', 'value_number', 'value_date', 'value_options', 'note', 'is_blind'),
      corrects_id: to('corrects', 'observations'),
      ...plain('is_withdrawn', 'is_current'),
      created_at: recordedAt,
    },
    leftOut: ['media_id', 'observed_by'],
    order: ['created_at', 'id'],
    hasId: true,
    belongsBy: 'hunt_id',
    // Values that are photos lie elsewhere.
    only: "trait_id in (select id from traits where kind <> 'photo')",
  },
  {
    list: 'growLogs',
    table: 'grow_logs',
    columns: { plant_id: to('plant', 'plants'), ...plain('logged_on'), ...measures, ...plain('version'), created_at: recordedAt },
    leftOut: ['author_id', 'deleted_at', 'updated_at'],
    order: ['created_at', 'id'],
    hasId: true,
    belongsBy: 'hunt_id',
    // Logs that were taken out are gone for whoever reads.
    only: 'deleted_at is null',
  },
  {
    list: 'growLogVersions',
    table: 'grow_log_versions',
    columns: {
      log_id: to('growLog', 'growLogs'),
      ...plain('version'),
      said: { field: 'said', isJson: true },
      changed_at: { field: 'changedAt', isTime: true },
    },
    leftOut: ['changed_by'],
    order: ['(select created_at from grow_logs where grow_logs.id = log_id)', 'log_id', 'version'],
    hasId: false,
    belongsBy: { column: 'log_id', within: inHunt('grow_logs', 'deleted_at is null') },
  },
  {
    list: 'harvests',
    table: 'harvests',
    columns: {
      plant_id: to('plant', 'plants'),
      run_id: to('run', 'runs'),
      ...plain('harvested_on', 'flower_days', 'wet_grams', 'dry_grams', 'trim_grams', 'wash_yield_percent', 'notes'),
    },
    leftOut: ['version', 'created_at'],
    order: ['id'],
    hasId: true,
    belongsBy: 'hunt_id',
  },
  {
    list: 'labResults',
    table: 'lab_results',
    columns: {
      plant_id: to('plant', 'plants'),
      ...plain('lab', 'tested_on', 'sample_position', 'analyte', 'value', 'unit', 'quantification_limit'),
    },
    leftOut: ['version', 'created_at'],
    order: ['id'],
    hasId: true,
    belongsBy: 'hunt_id',
  },
  {
    list: 'tasks',
    table: 'hunt_tasks',
    columns: {
      genotype_id: to('genotype', 'genotypes'),
      ...plain('title', 'due_on', 'every_days'),
      done_at: { field: 'doneAt', isTime: true },
      follows_id: to('follows', 'tasks', { isLate: true }),
    },
    leftOut: ['done_by', 'version', 'created_at'],
    order: ['id'],
    hasId: true,
    belongsBy: 'hunt_id',
  },
  {
    list: 'climateTargets',
    table: 'climate_targets',
    columns: plain('stage', 'measure', 'low', 'high'),
    leftOut: [],
    order: ['stage', 'measure'],
    hasId: false,
    belongsBy: 'hunt_id',
  },
  {
    list: 'climateSensors',
    table: 'climate_sensors',
    columns: plain('name'),
    leftOut: ['created_at'],
    order: ['name'],
    hasId: true,
    belongsBy: 'hunt_id',
  },
  {
    list: 'climateImports',
    table: 'climate_imports',
    columns: { sensor_id: to('climateSensor', 'climateSensors'), ...plain('file_name', 'time_zone', 'readings_count') },
    leftOut: ['imported_by', 'created_at'],
    order: ['id'],
    hasId: true,
    belongsBy: 'hunt_id',
  },
  {
    list: 'climateReadings',
    table: 'climate_readings',
    columns: {
      sensor_id: to('climateSensor', 'climateSensors'),
      import_id: to('climateImport', 'climateImports'),
      read_at: { field: 'readAt', isTime: true },
      ...plain('air_celsius', 'humidity_percent', 'leaf_celsius', 'co2_ppm', 'vpd_kpa'),
    },
    leftOut: [],
    order: ['(select name from climate_sensors where climate_sensors.id = sensor_id)', 'read_at'],
    hasId: false,
    belongsBy: { column: 'sensor_id', within: inHunt('climate_sensors') },
  },
  {
    list: 'blindPanels',
    table: 'blind_panels',
    columns: { ...plain('name', 'instructions'), closed_at: { field: 'closedAt', isTime: true } },
    leftOut: ['is_open', 'created_by', 'version', 'created_at'],
    order: ['id'],
    hasId: true,
    belongsBy: 'hunt_id',
    only: 'not is_open',
    fixed: { is_open: false },
  },
  {
    list: 'panelTraits',
    table: 'panel_traits',
    columns: { panel_id: to('blindPanel', 'blindPanels'), trait_id: to('trait', 'traits'), ...plain('position') },
    leftOut: [],
    order: ['panel_id', 'position'],
    hasId: false,
    belongsBy: { column: 'panel_id', within: closedPanels },
  },
  {
    list: 'panelJars',
    table: 'panel_jars',
    columns: {
      panel_id: to('blindPanel', 'blindPanels'),
      plant_id: to('plant', 'plants'),
      ...plain('jar_name', 'cure_days', 'last_card'),
    },
    leftOut: [],
    order: ['panel_id', 'jar_name'],
    hasId: true,
    belongsBy: { column: 'panel_id', within: closedPanels },
  },
  {
    list: 'panelCards',
    table: 'panel_cards',
    columns: {
      jar_id: to('panelJar', 'panelJars'),
      ...plain('card_number'),
      answered_at: { field: 'answeredAt', isTime: true },
      ...plain('comment'),
    },
    // Who tasted is not for another server to know.
    leftOut: ['token_hash', 'taster'],
    order: [...ofJar('jar_id'), 'card_number'],
    hasId: true,
    belongsBy: { column: 'jar_id', within: jarsOfClosedPanels },
    only: answered,
  },
  {
    list: 'panelScores',
    table: 'panel_scores',
    columns: { card_id: to('panelCard', 'panelCards'), trait_id: to('trait', 'traits'), ...plain('value_number', 'value_options') },
    leftOut: [],
    order: [
      ...ofJar('(select jar_id from panel_cards where panel_cards.id = card_id)'),
      '(select card_number from panel_cards where panel_cards.id = card_id)',
      '(select position from traits where traits.id = trait_id)',
      'trait_id',
    ],
    hasId: false,
    belongsBy: {
      column: 'card_id',
      within: (huntId) => sql`select id from panel_cards where jar_id in (${jarsOfClosedPanels(huntId)}) and ${sql.raw(answered)}`,
    },
  },
]
