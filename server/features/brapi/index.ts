import { admit } from '#server/kernel/rate-limit.ts'
import type { Api } from '#server/kernel/route.ts'
import { crop, fullListResponse, ignoredWarning, singleResponse } from './asked.ts'
import { addCall, addList, answerErrorsAsText, basePath, parseRequest } from './brapi-call.ts'
import { readCrosses, readGermplasm, readSeedLots } from './germplasm.ts'
import { addImageWrites, imageWriteRoutes, readImages } from './images.ts'
import { readTable, readUnits } from './observation-units.ts'
import { readObservations } from './observations.ts'
import { readSamples, sampleWriter } from './samples.ts'
import { answerLevels, readPrograms, readStudies, readTrials, studyWriter, trialWriter } from './trials.ts'
import { readMethods, readScales, readTraits, readVariables, variableWriter } from './variables.ts'
import { addWrites, type Writer, writtenRoutes } from './write-call.ts'
import { addObservationWrites } from './write-observations.ts'
import { crossWriter, germplasmWriter, seedLotWriter, unitWriter } from './write-plants.ts'

const valueFilters = [
  ...['observationDbIds', 'observationUnitDbIds', 'observationVariableDbIds', 'germplasmDbIds', 'studyDbIds', 'seasonDbIds'],
  ...['observationTimeStampRangeStart', 'observationTimeStampRangeEnd', 'observationUnitLevelNames', 'observationLevels'],
]

const lists: readonly Parameters<typeof addList>[1][] = [
  { service: 'programs', filters: ['programNames'], read: readPrograms, single: 'programDbIds', search: true },
  { service: 'trials', filters: ['trialNames', 'active'], read: readTrials, single: 'trialDbIds', search: true },
  {
    service: 'studies',
    filters: ['studyDbIds', 'studyNames', 'active', 'seasonDbIds'],
    read: readStudies,
    single: 'studyDbIds',
    search: true,
  },
  {
    service: 'germplasm',
    filters: ['germplasmDbIds', 'germplasmNames', 'studyDbIds'],
    read: readGermplasm,
    single: 'germplasmDbIds',
    search: true,
  },
  { service: 'seedlots', filters: ['seedLotDbIds', 'crossDbIds', 'germplasmDbIds'], read: readSeedLots, single: 'seedLotDbIds' },
  { service: 'crosses', filters: ['crossDbIds', 'crossingProjectDbIds'], read: readCrosses },
  {
    service: 'observationunits',
    filters: [
      ...['observationUnitDbIds', 'observationUnitNames', 'germplasmDbIds', 'studyDbIds', 'includeObservations'],
      ...['observationUnitLevelNames', 'observationLevels'],
    ],
    read: readUnits,
    single: 'observationUnitDbIds',
    search: true,
  },
  {
    service: 'variables',
    filters: ['observationVariableDbIds', 'observationVariableNames', 'traitDbIds', 'methodDbIds', 'scaleDbIds', 'studyDbIds'],
    read: readVariables,
    single: 'observationVariableDbIds',
    search: true,
  },
  { service: 'traits', filters: ['traitDbIds', 'observationVariableDbIds'], read: readTraits, single: 'traitDbIds' },
  { service: 'methods', filters: ['methodDbIds', 'observationVariableDbIds'], read: readMethods, single: 'methodDbIds' },
  { service: 'scales', filters: ['scaleDbIds', 'observationVariableDbIds'], read: readScales, single: 'scaleDbIds' },
  { service: 'observations', filters: valueFilters, read: readObservations, single: 'observationDbIds', search: true },
  {
    service: 'samples',
    filters: ['sampleDbIds', 'observationUnitDbIds', 'germplasmDbIds'],
    read: readSamples,
    single: 'sampleDbIds',
    search: true,
  },
  {
    service: 'images',
    filters: ['imageDbIds', 'observationUnitDbIds', 'observationDbIds'],
    read: readImages,
    single: 'imageDbIds',
    search: true,
  },
]

const writers: readonly Writer[] = [
  ...[trialWriter, studyWriter, crossWriter, seedLotWriter, germplasmWriter, unitWriter, variableWriter, sampleWriter],
]

/** Routes under /api without a contract: see `basePath`. */
export const brapiRoutes: readonly string[] = [
  ...['serverinfo', 'commoncropnames', 'observationlevels', 'observations/table'].map((service) => `GET ${basePath}/${service}`),
  ...['POST', 'PUT'].map((method) => `${method} ${basePath}/observations`),
  ...imageWriteRoutes,
  ...writers.flatMap(writtenRoutes).map((route) => route.replace(' ', ` ${basePath}`)),
  ...lists.flatMap(({ service, single, search }) => [
    `GET ${basePath}/${service}`,
    ...(single ? [`GET ${basePath}/${service}/:id`] : []),
    ...(search ? [`POST ${basePath}/search/${service}`] : []),
  ]),
]

export function registerBrapi({ app, ctx }: Api): void {
  void app.register(async (scope) => {
    const api: Api = { app: scope, ctx }
    answerErrorsAsText(scope)
    scope.get(`${basePath}/serverinfo`, async (request) => {
      await admit(ctx, request)
      return singleResponse(serverInfo(api))
    })
    scope.get(`${basePath}/commoncropnames`, async (request) => {
      await admit(ctx, request)
      return fullListResponse([crop])
    })
    addCall(api, { method: 'GET', path: '/observationlevels', scope: 'hunts:read', handle: async () => answerLevels() })
    addCall(api, {
      ...{ method: 'GET', path: '/observations/table', scope: 'hunts:read', allowance: 'drawing' },
      handle: async ({ actor, request }) => {
        const given = request.query as Record<string, unknown>
        const { asked, paging, ignored } = await parseRequest({ ctx, actor }, valueFilters, given, false)
        const { table, total } = await readTable(asked)
        return singleResponse(table, { paging, total, status: ignored.map(ignoredWarning) })
      },
    })
    addObservationWrites(api)
    for (const writer of writers) addWrites(api, writer)
    addImageWrites(api)
    for (const list of lists) addList(api, list)
  })
}

/** Doesn't require a key, so that a program can see what this server offers before anyone signs in. */
function serverInfo({ ctx: { brand, config } }: Api) {
  const methodsOf = Map.groupBy(
    brapiRoutes.map((route) => route.split(' ') as [method: string, path: string]),
    ([, path]) => path.slice(basePath.length + 1).replace(':id', '{id}'),
  )
  return {
    serverName: brand.name,
    organizationName: brand.name,
    organizationURL: config.publicUrl,
    contactEmail: brand.supportEmail,
    documentationURL: `${config.publicUrl}/developers`,
    serverDescription: 'Pheno hunts: a hunt is a trial, each of its runs a study, each plant an observation unit.',
    calls: [...methodsOf].map(([service, routes]) => ({
      service,
      contentTypes: ['application/json'],
      dataTypes: ['application/json'],
      methods: routes.map(([method]) => method),
      versions: ['2.0', '2.1'],
    })),
  }
}
