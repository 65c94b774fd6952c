import type { EventAudience } from '../../../contracts/events.ts'
import { newId } from '../../kernel/ids.ts'
import { localTime, momentOf } from '../../kernel/time-zones.ts'
import { remindAt } from '../events/index.ts'
import { demoBusinesses } from './demo-businesses.ts'
import { daysBefore, type Loading, needed } from './loading.ts'

type DemoEvent = {
  business: string
  title: string
  description: string
  audience: EventAudience
  timeZone: string
  /** Days from the load, and hours on the clock of the zone. */
  inDays: number
  from: number
  until: number
  venue: string | null
  capacity: number | null
  /** In the order in which they said yes, one a day. */
  going: string[]
}

const demoEvents: DemoEvent[] = [
  {
    business: 'lanternfold',
    title: 'Meet the growers',
    description:
      'Three growers stand behind the counter for an evening and answer what the cards do not. Bring your questions about drying, curing and why no two lots are alike. For people of 21 or older.',
    audience: 'everyone',
    timeZone: 'America/Denver',
    inDays: 5,
    from: 18,
    until: 20,
    venue: null,
    capacity: 40,
    going: ['desmond', 'lorne', 'wren', 'tobin'],
  },
  {
    business: 'quietwater',
    title: 'Reading certificates together',
    description:
      'We put six certificates of analysis on the table and read them line by line. Afterwards you know which questions to ask, here or anywhere else. For people of 21 or older.',
    audience: 'subscribers',
    timeZone: 'America/Denver',
    inDays: 12,
    from: 17,
    until: 19,
    venue: 'The room above the shop',
    capacity: 12,
    going: ['marisol', 'desmond'],
  },
  {
    business: 'slowfurrow',
    title: 'A morning in the rows',
    description:
      'A slow walk through the terraces with Odile, coffee included. Wear boots. We meet at the grange and go on from there together. For people of 21 or older.',
    audience: 'vip',
    timeZone: 'America/Los_Angeles',
    inDays: 19,
    from: 9,
    until: 12,
    venue: 'Pine Grove Grange',
    capacity: 15,
    going: [],
  },
]

/** What the demo's businesses invite to, by the day of the load. */
export async function addEvents({ tx, now, people, businesses }: Loading): Promise<void> {
  for (const { business, timeZone, inDays, from, until, going, ...event } of demoEvents) {
    const { owner, type, city, state } = demoBusinesses.find(({ key }) => key === business) as (typeof demoBusinesses)[number]
    const { date } = localTime(timeZone, daysBefore(now, -inDays))
    const at = (hour: number) => new Date(momentOf(timeZone, date, hour * 60))
    const businessId = needed(businesses, business)
    const { pin_latitude, pin_longitude } = await tx
      .selectFrom('businesses')
      .select(['pin_latitude', 'pin_longitude'])
      .where('id', '=', businessId)
      .executeTakeFirstOrThrow()
    const times = { starts_at: at(from), ends_at: at(until), time_zone: timeZone }
    const published = daysBefore(now, going.length + 1)
    const id = newId()
    await tx
      .insertInto('events')
      .values({
        id,
        business_id: businessId,
        created_by: needed(people, owner),
        ...event,
        ...times,
        city: `${city}, ${state}`,
        pin_latitude,
        pin_longitude,
        is_farm: type === 'farm',
        going_count: going.length,
        created_at: published,
        updated_at: published,
      })
      .execute()
    const rsvps = going.map((person, i) => ({
      event_id: id,
      user_id: needed(people, person),
      created_at: daysBefore(now, going.length - i),
      remind_at: remindAt(times, now),
    }))
    if (rsvps.length > 0) await tx.insertInto('event_rsvps').values(rsvps).execute()
  }
}
