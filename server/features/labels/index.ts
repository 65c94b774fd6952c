import { setImmediate as otherWork } from 'node:timers/promises'
import { type PDFPage, rgb } from '@cantoo/pdf-lib'
import { sql } from 'kysely'
import { HuntParams } from '#contracts/hunts.ts'
import { type LabelSheet, labelSheets, labelsOf, maxLabels } from '#contracts/labels.rules.ts'
import { LabelsQuery } from '#contracts/plants.endpoints.ts'
import { plantName } from '#contracts/plants.ts'
import type { Db } from '#server/db/connect.ts'
import { requireHunt } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { memberFile } from '#server/kernel/member-file.ts'
import { drawLine, drawQrCode, fitText, ink, mm, muted, newPdf, type PdfFonts } from '#server/kernel/pdf.ts'
import type { Api } from '#server/kernel/route.ts'

export const labelRoutes = ['GET /api/pheno-hunts/:id/labels.pdf']

/** Pot labels with each plant's number, name and code, and a QR code that opens its quick log for people who can see the hunt. */
export function registerLabels(api: Api): void {
  memberFile(api, {
    path: '/api/pheno-hunts/:id/labels.pdf',
    params: HuntParams,
    query: LabelsQuery,
    rateLimit: 'drawing',
    file: async ({ ctx, actor, params, query }) => {
      const pdf = await labelsPdf(ctx, actor, params.id, query)
      return { name: 'plant-labels.pdf', type: 'application/pdf', body: Buffer.from(pdf) }
    },
  })
}

type Ctx = Pick<Context, 'db' | 'config' | 'brand'>

/** @throws AppError not_found, invalid_input about the plants */
async function labelsPdf(ctx: Ctx, actor: Actor, huntId: string, query: LabelsQuery): Promise<Uint8Array> {
  const hunt = await requireHunt(ctx.db, actor, huntId, 'view')
  const plants =
    query.plants === 'living' ? await livingPlants(ctx.db, huntId) : await plantsByNames(ctx.db, huntId, query.plants.split(','))
  if (plants.length === 0) throw invalidField('plants', 'This hunt has no living plants')
  if (plants.length > maxLabels) throw invalidField('plants', `At most ${maxLabels} labels in one file: choose some of the plants`)
  const labels = plants.map(({ number, copy, label, code }) => ({
    name: plantName(number, copy),
    label,
    code,
    url: `${ctx.config.publicUrl}/pheno-hunt/log/${code}`,
    huntName: query.name === 'yes' ? hunt.hunt_name : null,
  }))
  return drawLabels(labelSheets[query.sheet], labels, query.start, ctx.brand.name)
}

const selectPlants = (db: Db, huntId: string) =>
  db
    .selectFrom('plants')
    .innerJoin('genotypes', 'genotypes.id', 'plants.genotype_id')
    .select(['genotypes.number', 'genotypes.label', 'plants.copy', 'plants.code'])
    .where('plants.hunt_id', '=', huntId)
    .orderBy('genotypes.number')
    .orderBy('plants.copy')

const livingPlants = (db: Db, huntId: string) =>
  selectPlants(db, huntId)
    .where('ended_on', 'is', null)
    .limit(maxLabels + 1)
    .execute()

/** Finds plants by names such as "7" or "7-2", without duplicates. @throws AppError invalid_input for an unknown name */
async function plantsByNames(db: Db, huntId: string, names: readonly string[]) {
  const asked = new Map(names.map((name) => [`${Number(name.split('-')[0])}-${Number(name.split('-')[1] ?? 0)}`, name]))
  const numbers = [...asked.keys()].map((key) => Number(key.split('-')[0]))
  const copies = [...asked.keys()].map((key) => Number(key.split('-')[1]))
  const rows = await selectPlants(db, huntId)
    .where(sql<boolean>`(genotypes.number, plants.copy) in (select * from unnest(${numbers}::integer[], ${copies}::integer[]))`)
    .execute()
  const found = new Set(rows.map(({ number, copy }) => `${number}-${copy}`))
  for (const [key, name] of asked) if (!found.has(key)) throw invalidField('plants', `This hunt has no plant #${name}`)
  return rows
}

type Label = {
  /** The plant's name, such as "#7-2". */
  name: string
  /** The grower's name for the phenotype; may be empty. */
  label: string
  code: string
  url: string
  huntName: string | null
}

/** In millimeters; printers are off by about one. */
const inset = 1.5

/** Draws a PDF to print at 100%. `start` is the position of the first label on the first sheet, counted from 1. */
export async function drawLabels(sheet: LabelSheet, labels: readonly Label[], start: number, brandName: string): Promise<Uint8Array> {
  const { document, fonts } = await newPdf('Plant labels', brandName)
  const perSheet = labelsOf(sheet)
  const first = Math.min(start, perSheet) - 1
  let page: PDFPage | null = null
  for (const [i, label] of labels.entries()) {
    const place = (first + i) % perSheet
    if (page === null || place === 0) {
      // Drawing blocks the event loop.
      await otherWork()
      page = document.addPage([sheet.paperWidth * mm, sheet.paperHeight * mm])
    }
    drawLabel(page, sheet, place, label, fonts)
  }
  return document.save()
}

/** Position of a label on its sheet, in millimeters from the upper left. */
export const placeOnSheet = (sheet: LabelSheet, place: number): { left: number; top: number } => ({
  left: sheet.left + (place % sheet.columns) * sheet.pitchX,
  top: sheet.top + Math.floor(place / sheet.columns) * sheet.pitchY,
})

function drawLabel(page: PDFPage, sheet: LabelSheet, place: number, { name, label, code, url, huntName }: Label, fonts: PdfFonts): void {
  const { left, top } = placeOnSheet(sheet, place)
  const x0 = left * mm
  const y0 = (sheet.paperHeight - top - sheet.height) * mm
  const width = sheet.width * mm
  const height = sheet.height * mm
  if (sheet.isCut) page.drawRectangle({ x: x0, y: y0, width, height, borderWidth: 0.25, borderColor: rgb(0.75, 0.75, 0.75) })

  // The code includes its own quiet zone.
  const side = Math.min(height - mm, width / 2)
  drawQrCode(page, url, x0 + mm, y0 + (height - side) / 2, side)
  const x = x0 + mm + side + mm
  const room = { width: x0 + width - inset * mm - x, fonts: fonts.text, maxLines: 1 }
  const line = (words: string, size: number, y: number, color = ink) => drawLine(page, words, { x, y, size, fonts: fonts.text, color })

  const highest = height * (label === '' ? 0.42 : 0.34)
  const number = fitText(name, { ...room, sizes: [44, 36, 30, 24, 20, 17, 14, 11].filter((size) => size <= highest) })
  const more = fitText(label, { ...room, sizes: [11, 9.5, 8], maxLinesSmallest: height > 85 ? 2 : 1 })
  const hunt = fitText(huntName ?? '', { ...room, sizes: [7.5, 6.5] })
  let y = y0 + height - inset * mm - number.size * 0.82
  line(number.lines[0] ?? name, number.size, y)
  y -= number.size * 0.25
  for (const words of more.lines) {
    y -= more.size * 1.15
    line(words, more.size, y)
  }
  const foot = y0 + inset * mm + 2
  const codeSize = fitText(code, { ...room, sizes: [12, 10.5, 9] })
  line(codeSize.lines[0] ?? code, codeSize.size, foot + (hunt.lines.length > 0 ? hunt.size * 1.3 : 0))
  for (const words of hunt.lines) line(words, hunt.size, foot, muted)
}
