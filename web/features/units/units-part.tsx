import { useReducer } from 'react'
import type { Preferences } from '../../../contracts/preferences.ts'
import { messageOf } from '../../lib/api-error.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { getRegion } from '../../lib/format.ts'
import { changePreferences } from '../../lib/preferences.ts'
import { unitsOf } from '../../lib/units.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { toast } from '../../ui/toast-store.ts'
import { formatSamples, regionChoices, regionName } from './regions.ts'

const measures = [
  { key: 'distance', label: 'Distances', hint: 'On the map and in lists', units: { mi: 'Miles', km: 'Kilometers' } },
  { key: 'temperature', label: 'Temperatures', hint: 'Climate and grow logs', units: { F: 'Fahrenheit (°F)', C: 'Celsius (°C)' } },
  { key: 'length', label: 'Heights', hint: 'Grow logs', units: { cm: 'Centimeters', in: 'Inches' } },
  { key: 'mass', label: 'Weights', hint: 'Harvests, and flower on menus', units: { g: 'Grams', oz: 'Ounces' } },
] as const

/** How dates and numbers are written, and in which units figures are shown: for this account, on every device. */
export default function UnitsPart() {
  const preferences = useCurrentUser()?.preferences
  // Within the press: the cache tells a task later, and React has set the list back to the old choice by then.
  const [, showNow] = useReducer((times: number) => times + 1, 0)
  if (!preferences) return null
  async function change(one: Partial<Preferences>) {
    const saving = changePreferences(one)
    showNow()
    try {
      if (await saving) return
      toast({ title: 'Not saved', description: 'It holds for this visit. Choose it again when you are online.', variant: 'destructive' })
    } catch (error) {
      toast({ title: 'This could not be saved', description: messageOf(error), variant: 'destructive' })
    }
  }
  const region = preferences.region ?? getRegion()
  const usual = unitsOf(undefined, region)
  const samples = formatSamples(region)
  return (
    <SettingsSection
      id="units"
      title="Units and language"
      description="Saved at once, for every device. The words of the site are English."
    >
      <div className="grid gap-6">
        <Field label="Region" hint={`${samples.date} · ${samples.time} · ${samples.number} · ${samples.price}`}>
          <Select value={preferences.region ?? ''} onChange={({ target }) => void change({ region: target.value || null })}>
            <option value="">As on this device</option>
            {regionChoices(preferences.region).map((code) => (
              <option key={code} value={code}>
                {regionName(code)}
              </option>
            ))}
          </Select>
        </Field>
        <div className="grid gap-5 sm:grid-cols-2">
          {measures.map(({ key, label, hint, units }) => {
            const names = units as Record<string, string>
            return (
              <Field key={key} label={label} hint={hint}>
                <Select
                  value={preferences[key] ?? ''}
                  onChange={({ target }) => void change({ [key]: target.value || null } as Partial<Preferences>)}
                >
                  <option value="">Usual here: {names[usual[key]]}</option>
                  {Object.entries(names).map(([unit, name]) => (
                    <option key={unit} value={unit}>
                      {name}
                    </option>
                  ))}
                </Select>
              </Field>
            )
          })}
        </div>
      </div>
    </SettingsSection>
  )
}
