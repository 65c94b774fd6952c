import {
  CardCount,
  FilledJar,
  maxJars,
  NewPanel,
  Panel,
  PanelResults,
  panelFields,
  TasteAnswer,
  TasteCard,
  TasteParams,
} from './blind-panels.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './fields.ts'
import { HuntParams } from './hunts.ts'
import * as z from './zod.ts'

const tag = 'Blind panels'

export const listPanels = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/blind-panels',
  summary: 'List the blind panels of a hunt, newest first. An open panel shows only how many cards are answered.',
  tag,
  access: 'member',
  params: HuntParams,
  response: z.array(Panel),
})

export const createPanel = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/blind-panels',
  summary: 'Open a blind panel with randomly named jars and their cards',
  tag,
  access: 'member',
  words: 'mixed',
  params: HuntParams,
  body: NewPanel,
  response: Panel,
  status: 201,
})

export const changePanel = endpoint({
  method: 'PATCH',
  path: '/api/blind-panels/:id',
  summary: 'Change the name and instructions of a panel',
  tag,
  access: 'member',
  words: 'mixed',
  params: IdParams,
  body: z.object({ name: z.optional(panelFields.name), instructions: z.optional(panelFields.instructions), version: z.int() }),
  response: Panel,
})

export const setCards = endpoint({
  method: 'PUT',
  path: '/api/blind-panels/:id/cards',
  summary: 'Set the number of cards per jar while the panel is open. Surplus unanswered cards are removed, the last first.',
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({ jars: z.array(z.object({ jarId: Id, cards: CardCount })).check(z.maxLength(maxJars)) }),
  response: Panel,
})

export const printCards = endpoint({
  method: 'POST',
  path: '/api/blind-panels/:id/prints',
  summary: 'Create printable cards, each with a new code that only this response shows. Codes printed earlier stop working.',
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({
    /** `new`: never printed; other printed cards stay valid. `unanswered`: all unanswered ones. */
    cards: z._default(z.enum(['new', 'unanswered']), 'new'),
    paper: z._default(z.enum(['Letter', 'A4']), 'Letter'),
  }),
  response: z.object({
    cards: z.array(z.object({ jarName: z.string(), cardNumber: z.int(), url: z.string() })),
    /** The cards as a PDF, base64-encoded. */
    pdf: z.string(),
    panel: Panel,
  }),
})

export const listHiddenJars = endpoint({
  method: 'POST',
  path: '/api/blind-panels/:id/jar-list',
  summary: 'Read what to fill into the hidden jars of an open panel. Only one person can, and the panel names them. Idempotent.',
  tag,
  access: 'member',
  params: IdParams,
  response: z.array(FilledJar),
})

export const closePanel = endpoint({
  method: 'PUT',
  path: '/api/blind-panels/:id/closed',
  summary: 'Close a panel and show its scores; it can never be reopened. Idempotent.',
  tag,
  access: 'member',
  params: IdParams,
  response: Panel,
})

export const deletePanel = endpoint({
  method: 'DELETE',
  path: '/api/blind-panels/:id',
  summary: 'Delete a panel with all its scores; its cards stop working',
  tag,
  access: 'member',
  params: IdParams,
})

export const getPanelResults = endpoint({
  method: 'GET',
  path: '/api/blind-panels/:id/results',
  summary: 'Read the scores of a closed panel, jar by jar (409 while it is open)',
  tag,
  access: 'member',
  params: IdParams,
  response: PanelResults,
})

export const getTasteCard = endpoint({
  method: 'GET',
  path: '/api/taste/:token',
  summary: 'Read the card that was scanned',
  tag,
  access: 'public',
  rateLimit: 'taste',
  params: TasteParams,
  response: TasteCard,
})

export const answerTasteCard = endpoint({
  method: 'POST',
  path: '/api/taste/:token',
  summary: 'Answer a card, once. Repeating the same answer changes nothing; a different one is refused (409).',
  tag,
  access: 'public',
  words: 'card',
  rateLimit: 'taste',
  params: TasteParams,
  body: TasteAnswer,
  response: TasteCard,
})
