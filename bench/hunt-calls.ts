export type HuntCall = { name: string; url: string }

/** Calls measured one at a time. */
export const huntCalls = (huntId: string, seen: { runId: string; plantCode: string; genotypeId: string }): HuntCall[] => {
  const hunt = `/api/pheno-hunts/${huntId}`
  return [
    { name: 'page /pheno-hunt', url: '/pheno-hunt' },
    { name: 'page of the hunt', url: `/pheno-hunt/${huntId}` },
    { name: 'hunt', url: hunt },
    { name: 'genotypes', url: `${hunt}/genotypes` },
    { name: 'traits', url: `${hunt}/traits` },
    { name: 'trait-records', url: `${hunt}/trait-records` },
    { name: 'ranking', url: `${hunt}/ranking` },
    { name: 'observations, first page', url: `${hunt}/observations` },
    { name: 'grow logs, first page', url: `/api/grow-logs?huntId=${huntId}` },
    { name: 'grow logs of week 9', url: `/api/grow-logs?huntId=${huntId}&week=9` },
    { name: 'growth', url: `${hunt}/growth` },
    { name: 'photos of a day', url: `${hunt}/photos` },
    { name: 'history of a genotype', url: `/api/genotypes/${seen.genotypeId}/history` },
    { name: 'activity of the hunt', url: `${hunt}/activity` },
    { name: 'climate', url: `${hunt}/climate` },
    { name: 'climate readings', url: `${hunt}/climate/readings` },
    { name: 'runs', url: `${hunt}/runs` },
    { name: 'placements', url: `/api/runs/${seen.runId}/placements` },
    { name: 'harvests', url: `${hunt}/harvests` },
    { name: 'lab results', url: `${hunt}/lab-results` },
    { name: 'decisions', url: `${hunt}/decisions` },
    { name: 'export.json', url: `${hunt}/export.json` },
    { name: 'own hunts', url: '/api/pheno-hunts' },
    { name: 'summary', url: '/api/pheno-hunts/summary' },
    { name: 'own activity', url: '/api/pheno-hunts/activity' },
    { name: 'own tasks', url: '/api/grow-tasks' },
    { name: 'public hunts', url: '/api/pheno-hunts?scope=public' },
    { name: 'public, common word', url: '/api/pheno-hunts?scope=public&search=gelato' },
    { name: 'public, rare words', url: '/api/pheno-hunts?scope=public&search=chem%20breeder%20996' },
    { name: 'public, no match', url: '/api/pheno-hunts?scope=public&search=nothingatall' },
    { name: 'plant code', url: `/api/plant-codes/${seen.plantCode}` },
  ]
}

/** Requests that a page makes in parallel, measured until all have completed. */
export const huntScreens = (huntId: string): { name: string; urls: string[] }[] => {
  const hunt = `/api/pheno-hunts/${huntId}`
  return [
    { name: 'hunt, plants', urls: [hunt, `${hunt}/genotypes`, `${hunt}/runs`] },
    { name: 'hunt, keepers', urls: [hunt, `${hunt}/genotypes`, `${hunt}/traits`, `${hunt}/runs`, `${hunt}/trait-records`] },
    { name: 'hunt, climate', urls: [hunt, `${hunt}/climate`, `${hunt}/climate/targets`] },
    { name: 'grow logs', urls: [hunt, `/api/grow-logs?huntId=${huntId}`, `${hunt}/growth`] },
    { name: 'data tracker', urls: [hunt, `${hunt}/genotypes`, `${hunt}/traits`, `${hunt}/trait-records`] },
  ]
}
