export const maxImageBytes = 10 * 1024 * 1024
export const maxVideoBytes = 60 * 1024 * 1024

export const maxDocumentBytes = 10 * 1024 * 1024

/** Per PUT of an upload. */
export const uploadChunkBytes = 1024 * 1024

export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const
/** Phones' photo formats, which are rejected with instructions. */
export const refusedImageTypes = ['image/heic', 'image/heif'] as const
export const videoTypes = ['video/mp4', 'video/quicktime', 'video/webm'] as const

/** Shared by the page and the server, which both check a file before its upload starts. */
export const fileRefusals = {
  unknown: 'This file type isn’t supported. Send a JPEG, PNG, WebP, AVIF or GIF picture, or an MP4, MOV or WebM video.',
  heic: 'HEIC photos aren’t supported. On an iPhone, choose Settings → Camera → Formats → Most Compatible, or send a JPEG.',
  notDocument: 'Send this as a PDF.',
  empty: 'The file is empty',
  large: {
    image: `A picture can be up to ${maxImageBytes / 1024 / 1024} MB.`,
    video: `A video can be up to ${maxVideoBytes / 1024 / 1024} MB.`,
    document: `A PDF can be up to ${maxDocumentBytes / 1024 / 1024} MB.`,
  },
}
