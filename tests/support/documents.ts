import { PDFDocument, PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib'
import { mutant, seededRandom } from './picture-mutations.ts'
import { canary, pictureWithSecrets } from './pictures.ts'

type Extra = (document: PDFDocument) => void | Promise<void>

/** A license as an authority might print it, with metadata that must not be shown: author, program, dates, place, links. */
export async function documentWithSecrets(pages = 1, extra: Extra = () => {}): Promise<Buffer> {
  const document = await PDFDocument.create()
  document.setTitle(canary)
  document.setAuthor(canary)
  document.setProducer(canary)
  document.setKeywords([canary])
  const { context, catalog } = document
  const xmp = () => context.register(context.stream(`<x:xmpmeta>${canary}</x:xmpmeta>`, { Type: 'Metadata', Subtype: 'XML' }))
  catalog.set(PDFName.of('Metadata'), xmp())
  const picture = await document.embedJpg(await pictureWithSecrets('jpeg'))
  for (let number = 1; number <= pages; number++) {
    const page = document.addPage([612, 792])
    page.drawText(`License 402R-00123, page ${number}`, { x: 72, y: 700, size: 18 })
    page.drawImage(picture, { x: 72, y: 500, width: 96, height: 64 })
    page.node.set(PDFName.of('Metadata'), xmp())
    page.node.set(PDFName.of('LastModified'), PDFString.of(canary))
    const link = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9], A: { S: 'URI', URI: PDFString.of(`https://${canary}.example`) } }
    const note = { Type: 'Annot', Subtype: 'Text', Rect: [0, 0, 9, 9], T: PDFString.of(canary), Contents: PDFHexString.fromText(canary) }
    const stamp = {
      Type: 'Annot',
      Subtype: 'Stamp',
      Rect: [9, 9, 99, 99],
      T: PDFString.of(canary),
      AP: { N: context.register(context.stream('0 1 0 rg 0 0 90 90 re f', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 90, 90] })) },
    }
    page.node.set(PDFName.of('Annots'), context.obj([link, note, stamp].map((each) => context.register(context.obj(each)))))
  }
  await extra(document)
  return Buffer.from(await document.save({ useObjectStreams: pages % 2 === 0 }))
}

const script = 'app.alert("here")'

export const activeDocuments: Readonly<Record<string, () => Promise<Buffer>>> = {
  'a script of the document': () => documentWithSecrets(1, (document) => document.addJavaScript('start', script)),
  'a script in a compressed object': () => documentWithSecrets(2, (document) => document.addJavaScript('start', script)),
  'a script when it opens': () =>
    documentWithSecrets(1, ({ catalog, context }) =>
      catalog.set(PDFName.of('OpenAction'), context.obj({ S: 'JavaScript', JS: PDFString.of(script) })),
    ),
  'a script when a page opens': () =>
    documentWithSecrets(1, (document) => {
      document.getPage(0).node.set(PDFName.of('AA'), document.context.obj({ O: { S: 'JavaScript', JS: PDFString.of(script) } }))
    }),
  'a script whose name is written in other letters': async () => {
    const plain = await activeDocuments['a script when it opens']?.()
    return Buffer.from((plain?.toString('latin1') ?? '').replace('/JavaScript', '/#4Aava#53cript').replace('/JS', '/#4aS'), 'latin1')
  },
  'a script that nothing refers to': () =>
    documentWithSecrets(1, ({ context }) => void context.register(context.obj({ S: 'JavaScript', JS: PDFString.of(script) }))),
  'a program to start': () =>
    documentWithSecrets(1, ({ catalog, context }) =>
      catalog.set(PDFName.of('OpenAction'), context.obj({ S: 'Launch', F: PDFString.of('calc.exe') })),
    ),
  'a file inside': () => documentWithSecrets(1, (document) => document.attach(Buffer.from('MZ'), 'setup.exe')),
  'a form to send': () =>
    documentWithSecrets(1, ({ catalog, context }) =>
      catalog.set(PDFName.of('OpenAction'), context.obj({ S: 'SubmitForm', F: PDFString.of('https://example.com') })),
    ),
  'a form made of XML': () =>
    documentWithSecrets(1, ({ catalog, context }) =>
      catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [], XFA: context.register(context.stream('<xdp/>')) })),
    ),
}

export const encryptedDocument = (): Promise<Buffer> => documentWithSecrets(1, (document) => document.encrypt({ userPassword: 'open' }))

/** Documents, most of them damaged in one to three ways, reproducible from the seed. */
export async function damagedDocuments(count: number, seed: number): Promise<Buffer[]> {
  const random = seededRandom(seed)
  const whole = [await documentWithSecrets(1), await documentWithSecrets(2), await documentWithSecrets(3)]
  for (const make of Object.values(activeDocuments)) whole.push(await make())
  return Array.from({ length: count }, () => mutant(whole, random))
}
