import { useReducer } from 'react'
import type { Preferences } from '#contracts/settings.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { getRegion } from '#web/lib/format.ts'
import { changePreferences } from '#web/lib/preferences.ts'
import { type Units, unitsOf } from '#web/lib/units.ts'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { SettingsSection } from '#web/ui/settings-section.tsx'
import { toast } from '#web/ui/toast-store.ts'

const measures: { [Name in keyof Units]: { label: string; hint: string; units: Record<NonNullable<Preferences[Name]>, string> } } = {
  distance: { label: 'Distances', hint: 'On the map and in lists', units: { mi: 'Miles', km: 'Kilometers' } },
  temperature: { label: 'Temperatures', hint: 'Climate and grow logs', units: { F: 'Fahrenheit (°F)', C: 'Celsius (°C)' } },
  length: { label: 'Heights', hint: 'Grow logs', units: { cm: 'Centimeters', in: 'Inches' } },
  mass: { label: 'Weights', hint: 'Harvests, and flower on menus', units: { g: 'Grams', oz: 'Ounces' } },
}

export default function UnitsPart() {
  const preferences = useCurrentUser()?.preferences
  // Rerender synchronously, because the cache notifies one task later, after React has reset the select.
  const [, showNow] = useReducer((times: number) => times + 1, 0)
  if (!preferences) return null
  async function change(one: Partial<Preferences>) {
    const saving = changePreferences(one)
    showNow()
    try {
      if (await saving) return
      toast({
        title: 'Not saved',
        description: 'This choice lasts only for this visit. Choose it again when you’re online.',
        variant: 'destructive',
      })
    } catch (error) {
      toast({ title: 'Your choice couldn’t be saved', description: messageOf(error), variant: 'destructive' })
    }
  }
  const region = preferences.region ?? getRegion()
  const usual = unitsOf(undefined, region)
  const samples = formatSamples(region)
  return (
    <SettingsSection id="units" title="Units and region" description="Saved automatically, for all your devices. The site is in English.">
      <div className="grid gap-6">
        <Field label="Region" hint={`${samples.date} · ${samples.time} · ${samples.number} · ${samples.price}`}>
          <Select value={preferences.region ?? ''} onChange={({ target }) => void change({ region: target.value || null })}>
            <option value="">Same as this device</option>
            {regionChoices(preferences.region).map((code) => (
              <option key={code} value={code}>
                {regionName(code)}
              </option>
            ))}
          </Select>
        </Field>
        <div className="grid gap-5 sm:grid-cols-2">
          {(Object.keys(measures) as (keyof Units)[]).map((key) => {
            const { label, hint, units } = measures[key]
            const names: Record<string, string> = units
            return (
              <Field key={key} label={label} hint={hint}>
                <Select
                  value={preferences[key] ?? ''}
                  onChange={({ target }) => void change({ [key]: target.value || null } as Partial<Preferences>)}
                >
                  <option value="">Default here: {names[usual[key]]}</option>
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

/** ISO 3166-1 codes of countries and territories with a cannabis trade, and of their neighbors. Elsewhere, the device's region applies. */
const offered = [
  ...['AR', 'AT', 'AU', 'BE', 'BR', 'CA', 'CH', 'CL', 'CO', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IL', 'IT', 'JM'],
  ...['LU', 'MT', 'MX', 'NL', 'NO', 'NZ', 'PL', 'PR', 'PT', 'SE', 'TH', 'US', 'UY', 'ZA'],
]

/** In English, like the page. */
const names = new Intl.DisplayNames('en-US', { type: 'region' })

export const regionName = (code: string): string => names.of(code) ?? code

export const regionChoices = (current: string | null): string[] =>
  [...new Set([...offered, ...(current === null ? [] : [current])])].sort((a, b) => regionName(a).localeCompare(regionName(b), 'en-US'))

const currencies: Record<string, string> = { US: 'USD', PR: 'USD', CA: 'CAD', GB: 'GBP', AU: 'AUD', NZ: 'NZD', CH: 'CHF' }
// The day and hour can't be mistaken for another part of this date and time.
const sample = new Date(2026, 10, 21, 16, 5)

/** Real prices use the business's currency. */
export function formatSamples(region: string): { date: string; time: string; number: string; price: string } {
  const locale = `en-${region}`
  return {
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(sample),
    time: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(sample),
    number: new Intl.NumberFormat(locale).format(1234.5),
    price: new Intl.NumberFormat(locale, { style: 'currency', currency: currencies[region] ?? 'EUR' }).format(35),
  }
}
