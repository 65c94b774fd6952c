import * as contract from '#contracts/events.endpoints.ts'
import { viewerOf } from '#server/features/posts/index.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { listAttendees, listBusinessEvents, listEvents, readEvent, serveCalendarFile } from './read-events.ts'
import { addRsvp, withdrawRsvp } from './rsvp.ts'
import { cancelEvent, createEvent, deleteEvent, updateEvent } from './write-event.ts'

export { eventReader, isEventOpen, isEventVisible, type NotifiedEvent, notifiedEvents } from './events.queries.ts'
export { eventRoutes, listBusinessEvents, listEvents } from './read-events.ts'
export { endRsvpsWith, eventJobs, eventSchedules, remindAt } from './rsvp.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'event.announced': { eventId: string }
    'event.changed': { eventId: string; sequence: number }
    'event.canceled': { eventId: string }
    /** Moderators approved or restored it. */
    'event.shown': { eventId: string }
    /** Reminds these people if the event still starts at `startsAt`. */
    'event.due': { eventId: string; startsAt: string; userIds: string[] }
  }
}

export function registerEvents(api: Api): void {
  route(api, contract.listBusinessEvents, ({ ctx, actor, params, query }) => listBusinessEvents(ctx, actor, params.id, query))
  route(api, contract.listEvents, ({ ctx, actor, query }) => listEvents(ctx, actor, query))
  route(api, contract.getEvent, ({ ctx, actor, params }) => readEvent(ctx.db, viewerOf(actor, ctx.clock.now()), params.id))
  route(api, contract.createEvent, ({ ctx, actor, params, body, idempotency }) => createEvent(ctx, actor, params.id, body, idempotency))
  route(api, contract.updateEvent, ({ ctx, actor, params, body }) => updateEvent(ctx, actor, params.id, body))
  route(api, contract.cancelEvent, ({ ctx, actor, params, body }) => cancelEvent(ctx, actor, params.id, body.note))
  route(api, contract.deleteEvent, ({ ctx, actor, params }) => deleteEvent(ctx, actor, params.id))
  route(api, contract.rsvpToEvent, ({ ctx, actor, params }) => addRsvp(ctx, actor, params.id))
  route(api, contract.withdrawRsvp, ({ ctx, actor, params }) => withdrawRsvp(ctx, actor, params.id))
  route(api, contract.listAttendees, ({ ctx, actor, params, query }) => listAttendees(ctx, actor, params.id, query))
  serveCalendarFile(api)
}
