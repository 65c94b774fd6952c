import type { Selectable } from 'kysely'
import type { SettingGroup, SettingsOf } from '#contracts/settings.ts'
import type { DB } from '#server/db/connect.ts'

const columns = {
  privacy: { isProfilePublic: 'is_profile_public', allowLocationSharing: 'allow_location_sharing' },
  messages: { showsReadMarks: 'shows_read_marks', takesMessagesFrom: 'takes_messages_from' },
  display: {
    region: 'region',
    temperature: 'temperature_unit',
    length: 'length_unit',
    mass: 'mass_unit',
    distance: 'distance_unit',
  },
} as const satisfies { [Group in SettingGroup]: Record<keyof SettingsOf<Group>, keyof DB['users']> }

type Column<Group extends SettingGroup> = (typeof columns)[Group][keyof (typeof columns)[Group]] & keyof DB['users']
type Row<Group extends SettingGroup> = Pick<Selectable<DB['users']>, Column<Group>>

export const settingColumns = <Group extends SettingGroup>(group: Group) => Object.values(columns[group]) as Column<Group>[]

const entries = {
  privacy: Object.entries(columns.privacy),
  messages: Object.entries(columns.messages),
  display: Object.entries(columns.display),
}

const entriesOf = <Group extends SettingGroup>(group: Group) => entries[group] as [name: keyof SettingsOf<Group>, column: Column<Group>][]

/** Check constraints guarantee that the columns contain only valid values. */
export function toSettings<Group extends SettingGroup>(group: Group, row: Row<Group>): SettingsOf<Group> {
  const settings: Partial<Record<keyof SettingsOf<Group>, unknown>> = {}
  for (const [name, column] of entriesOf(group)) settings[name] = row[column]
  return settings as SettingsOf<Group>
}

/** The columns to update. An omitted setting is undefined, so its column is unchanged. */
export const toColumns = <Group extends SettingGroup>(
  group: Group,
  settings: { [Name in keyof SettingsOf<Group>]?: SettingsOf<Group>[Name] | undefined },
) => Object.fromEntries(entriesOf(group).map(([name, column]) => [column, settings[name]])) as Partial<Row<Group>>
