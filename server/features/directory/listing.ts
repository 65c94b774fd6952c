import type { Selectable } from 'kysely'
import type { BusinessType } from '../../../contracts/business-types.ts'
import type { Precision } from '../../../contracts/businesses.ts'
import type { DB } from '../../db/schema.ts'
import { cityCenter, cityOfZip, findZip } from '../../kernel/geo/gazetteer.ts'
import { findState } from '../../kernel/geo/us-states.ts'
import type { ListingFacts } from '../businesses/index.ts'

type License = Selectable<DB['licenses']>
type Standing = License['standing']

/** The best standing wins: one license in force is enough to open the door. */
const standings: readonly Standing[] = ['listed', 'inactive', 'missing']

/**
 * What people come for decides what a place is: one with a store is a dispensary, though it also grows and bakes. A delivery
 * service comes before a farm because it can be used; a farm before makers and labs because it must not be shown exactly.
 */
const types: readonly BusinessType[] = ['dispensary', 'delivery', 'farm', 'food_service', 'smoke_shop', 'glass_shop', 'other']

const precisions: readonly Precision[] = ['premise', 'zip', 'city']

/** One listing of all licenses of a business at a place. Their order does not matter. */
export function toListing(licenses: readonly License[]): ListingFacts {
  const ranked = [...licenses].sort(
    (a, b) =>
      standings.indexOf(a.standing) - standings.indexOf(b.standing) ||
      types.indexOf(a.business_type) - types.indexOf(b.business_type) ||
      rankOf(a.geo_precision) - rankOf(b.geo_precision) ||
      (a.register_key < b.register_key ? -1 : 1),
  )
  const main = ranked[0] as License
  const first = <K extends keyof License>(field: K): License[K] | null => ranked.find((license) => license[field] !== null)?.[field] ?? null
  const pinned = ranked
    .filter((license) => license.geo_precision !== null)
    .sort((a, b) => rankOf(a.geo_precision) - rankOf(b.geo_precision))[0]
  const city = first('city')
  const zip = first('zip')

  // A grow is hidden wherever there is one, unless a store that everybody may enter stands at the same place.
  const isHidden = main.business_type !== 'dispensary' && licenses.some((license) => license.business_type === 'farm')
  const pin = isHidden ? cityPin(city, zip, main.state) : pinned ? { ...pinOf(pinned) } : null
  return {
    // "Green Door" rather than "Green Door LLC", where its licenses have both.
    name: licenses.map((license) => license.business_name).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] as string,
    type: main.business_type,
    location: `${city ?? first('county') ?? findState(main.state)?.name ?? main.state}${city || first('county') ? `, ${main.state}` : ''}`,
    address: isHidden ? null : first('street'),
    city,
    state: main.state,
    country: 'US',
    zip: isHidden ? null : zip,
    phone: first('phone'),
    website: first('website'),
    latitude: pinned?.latitude ?? null,
    longitude: pinned?.longitude ?? null,
    geo_precision: pinned?.geo_precision ?? null,
    pin_latitude: pin?.latitude ?? null,
    pin_longitude: pin?.longitude ?? null,
    pin_precision: pin?.precision ?? null,
    license_standing: main.standing,
  }
}

const rankOf = (precision: Precision | null) => (precision === null ? precisions.length : precisions.indexOf(precision))

type Pin = { latitude: number; longitude: number; precision: Precision }

const pinOf = ({ latitude, longitude, geo_precision }: License): Pin => ({
  latitude: latitude as number,
  longitude: longitude as number,
  precision: geo_precision as Precision,
})

function cityPin(city: string | null, zip: string | null, state: string): Pin | null {
  const zipPlace = zip ? findZip(zip) : null
  const center = (city ? cityCenter(city, state) : null) ?? (zipPlace ? cityCenter(cityOfZip(zipPlace), zipPlace.state) : null)
  return center && { ...center, precision: 'city' }
}
