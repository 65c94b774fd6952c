import { endpoint } from './endpoint.ts'
import { HuntParams } from './hunts.ts'
import { maxCertificateBytes } from './limits.ts'
import * as z from './zod.ts'

const CertificateResult = z.object({
  /** The standard name, or the lab's if the analyte isn't recognized. */
  analyte: z.string(),
  /** As spelled on the certificate. */
  printed: z.string(),
  group: z.enum(['cannabinoid', 'terpene', 'total', 'other']),
  /** Null if below `quantificationLimit`. */
  value: z.nullable(z.number()),
  /** The limit of quantification or, if the analyte wasn't detected, of detection. Null if `value` is set. */
  quantificationLimit: z.nullable(z.number()),
  unit: z.literal('%'),
  /** The value was computed because the lab doesn't state it. */
  isComputed: z.boolean(),
  /** What to check before saving, such as a converted unit. May be empty. */
  note: z.string(),
})
export type CertificateResult = z.infer<typeof CertificateResult>

const CertificateSample = z.object({
  name: z.string(),
  codes: z.array(z.string()),
  /** Null if the certificate has no readable date. */
  testedOn: z.nullable(z.iso.date()),
  results: z.array(CertificateResult),
  rejected: z.array(z.object({ text: z.string(), reason: z.string() })),
})
export type CertificateSample = z.infer<typeof CertificateSample>

export const Certificate = z.object({
  kind: z.enum(['pdf', 'csv']),
  /** Empty if the lab isn't recognized. */
  lab: z.string(),
  samples: z.array(CertificateSample),
  /** Rows of other tests, such as pesticides and metals. */
  otherRows: z.int(),
})
export type Certificate = z.infer<typeof Certificate>

export const extractCertificate = endpoint({
  method: 'POST',
  path: '/api/pheno-hunts/:id/certificates',
  summary: 'Extract the results from a lab certificate (PDF or CSV). Stores nothing; save them as lab results.',
  tag: 'Lab results',
  access: 'member',
  words: 'draft',
  rateLimit: 'drawing',
  params: HuntParams,
  receives: 'bytes',
  maxBytes: maxCertificateBytes,
  response: Certificate,
})
