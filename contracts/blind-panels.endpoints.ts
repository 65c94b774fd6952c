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
  summary: "List a hunt's blind panels, newest first. An open panel shows how many cards have been answered, but no scores.",
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

export const updatePanel = endpoint({
  method: 'PATCH',
  path: '/api/blind-panels/:id',
  summary: "Change a panel's name and instructions",
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
  summary: 'Set the number of cards per jar while the panel is open. Extra unanswered cards are removed, unprinted ones first.',
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({ jars: z.array(z.object({ jarId: Id, cards: CardCount })).check(z.maxLength(maxJars)) }),
  response: Panel,
})

export const printCards = endpoint({
  method: 'POST',
  path: '/api/blind-panels/:id/prints',
  summary: "Create printable cards, each with a new code that only this response shows. A reprinted card's old code stops working.",
  tag,
  access: 'member',
  params: IdParams,
  body: z.object({
    /** `new`: cards never printed before; printed ones remain valid. `unanswered`: all cards without an answer. */
    cards: z._default(z.enum(['new', 'unanswered']), 'new'),
    paper: z._default(z.enum(['Letter', 'A4']), 'Letter'),
  }),
  response: z.object({
    cards: z.array(z.object({ jarName: z.string(), cardNumber: z.int(), url: z.string() })),
    /** Base64. */
    pdf: z.string(),
    panel: Panel,
  }),
})

export const listHiddenJars = endpoint({
  method: 'POST',
  path: '/api/blind-panels/:id/jar-list',
  summary: 'Read which plant goes into each hidden jar of an open panel. Only one person can, and the panel shows who. Idempotent.',
  tag,
  access: 'member',
  params: IdParams,
  response: z.array(FilledJar),
})

export const closePanel = endpoint({
  method: 'PUT',
  path: '/api/blind-panels/:id/closed',
  summary: "Close a panel and reveal its scores. A closed panel can't be reopened. Idempotent.",
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
  summary: "Read a closed panel's scores, jar by jar. Returns 409 while it's open.",
  tag,
  access: 'member',
  params: IdParams,
  response: PanelResults,
})

export const getTasteCard = endpoint({
  method: 'GET',
  path: '/api/taste/:token',
  summary: 'Read a scanned card',
  tag,
  access: 'public',
  rateLimit: 'taste',
  params: TasteParams,
  response: TasteCard,
})

export const answerTasteCard = endpoint({
  method: 'POST',
  path: '/api/taste/:token',
  summary: 'Answer a card. Repeating the same answer changes nothing; a different one is refused (409).',
  tag,
  access: 'public',
  words: 'card',
  rateLimit: 'taste',
  params: TasteParams,
  body: TasteAnswer,
  response: TasteCard,
})
