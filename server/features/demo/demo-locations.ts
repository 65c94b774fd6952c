import type { WeeklyHours } from '../../../contracts/locations.ts'

const hour = 60
const each = (opens: number, closes: number) => [{ opens: opens * hour, closes: closes * hour }]

/** Monday to Friday, Saturday, Sunday; null where it is closed. */
function week(weekdays: [number, number], saturday: [number, number] | null, sunday: [number, number] | null): WeeklyHours {
  const day = (times: [number, number] | null) => (times ? each(...times) : [])
  return [...Array.from({ length: 5 }, () => day(weekdays)), day(saturday), day(sunday)]
}

/** When the demo's businesses are open. The courier drives past midnight. */
export const demoHours: Record<string, WeeklyHours> = {
  lanternfold: week([10, 20], [10, 21], [11, 18]),
  quietwater: week([11, 19], [10, 19], null),
  hourglass: week([16, 24], [14, 2], [14, 23]),
  gantry: week([10, 21], [10, 22], [10, 20]),
  achterberg: week([12, 18], [11, 17], null),
  thirdkettle: week([10, 20], [10, 20], [12, 18]),
  osier: week([9, 20], [9, 20], [10, 18]),
  saltandmeadow: week([9, 17], null, null),
  measuredlight: week([8, 17], null, null),
}

export type DemoLocation = { name: string; city: string; state: string; zip: string; phone: string; hours: WeeklyHours }

/** Further locations, beside the business's own. */
export const demoLocations: Record<string, DemoLocation[]> = {
  lanternfold: [
    {
      name: 'Lanternfold Belmar',
      city: 'Lakewood',
      state: 'CO',
      zip: '80226',
      phone: '(303) 555-0143',
      hours: week([10, 20], [10, 20], [11, 17]),
    },
    {
      name: 'Lanternfold Clear Creek',
      city: 'Golden',
      state: 'CO',
      zip: '80401',
      phone: '(303) 555-0144',
      hours: week([11, 19], [10, 19], null),
    },
  ],
  gantry: [
    {
      name: 'Gantry Street East',
      city: 'Gresham',
      state: 'OR',
      zip: '97030',
      phone: '(503) 555-0156',
      hours: week([10, 20], [10, 20], [11, 18]),
    },
  ],
}

/** Days that are not as usual, by month and day of every year. */
export const demoHolidays = [
  { day: '01-01', note: 'New Year’s Day' },
  { day: '12-25', note: 'Christmas Day' },
] as const
