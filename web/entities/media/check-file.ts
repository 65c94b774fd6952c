import {
  fileRefusals,
  imageTypes,
  maxDocumentBytes,
  maxImageBytes,
  maxVideoBytes,
  refusedImageTypes,
  videoTypes,
} from '#contracts/media.rules.ts'

export type FileKind = 'image' | 'video'
export type ChosenFile = Pick<File, 'name' | 'type' | 'size'>

/** Makes phones offer their camera. Includes HEIC, so people who choose such a file get an explanation. */
export const acceptedImages = [...imageTypes, ...refusedImageTypes].join()
export const acceptedVideos = videoTypes.join()
export const acceptedDocuments = 'application/pdf,.pdf'

const typeOfExtension: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
}

/** Falls back to the extension, because some browsers don't recognize phone formats. */
export function contentTypeOf({ name, type }: ChosenFile): string {
  return type || typeOfExtension[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] || ''
}

export const kindOf = (file: ChosenFile): FileKind => (contentTypeOf(file).startsWith('video/') ? 'video' : 'image')

export function fileProblem(file: ChosenFile): string | null {
  const type = contentTypeOf(file)
  if (file.size === 0) return fileRefusals.empty
  if (isOneOf(refusedImageTypes, type)) return fileRefusals.heic
  if (isOneOf(imageTypes, type)) return file.size > maxImageBytes ? fileRefusals.large.image : null
  if (isOneOf(videoTypes, type)) return file.size > maxVideoBytes ? fileRefusals.large.video : null
  return fileRefusals.unknown
}

export function pictureProblem(file: ChosenFile): string | null {
  if (kindOf(file) === 'video') return 'Choose a picture, not a video.'
  const problem = fileProblem(file)
  return problem === fileRefusals.unknown ? 'This file type isn’t supported. Send a JPEG, PNG, WebP, AVIF or GIF picture.' : problem
}

/** @param notDocument message for files other than PDFs */
export function documentProblem({ name, type, size }: ChosenFile, notDocument: string = fileRefusals.notDocument): string | null {
  if (type !== 'application/pdf' && !/\.pdf$/i.test(name)) return notDocument
  if (size === 0) return fileRefusals.empty
  return size > maxDocumentBytes ? fileRefusals.large.document : null
}

const isOneOf = (types: readonly string[], type: string): boolean => types.includes(type)
