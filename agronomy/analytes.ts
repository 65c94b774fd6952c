/**
 * Cannabinoid acids lose CO₂ when heated: THCA (358.47 g/mol) becomes THC (314.45 g/mol), and the ratio is the same for CBD. Labs and
 * states compute totals with this ratio.
 */
export const decarboxylation = 0.877

export const totalOf = (neutral: number, acid: number): number => neutral + decarboxylation * acid

/** A percentage is a share of the sample's weight, so it can't exceed 100. */
export const isImpossibleShare = ({ value, unit }: { value: number | null; unit: string }): boolean =>
  unit.trim() === '%' && value !== null && value > 100

/** Factors that convert units of weight fraction, such as mg/g, to percent. The units are in lower case and without spaces. */
export const shareUnits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(['%', 'percent', 'wt%', '%wt', '%w/w', '%(w/w)', 'w/w%', '%byweight'].map((unit) => [unit, 1])),
  'mg/g': 0.1,
  ...Object.fromEntries(['ppm', 'ug/g', 'µg/g', 'μg/g', 'mcg/g', 'mg/kg'].map((unit) => [unit, 1e-4])),
  ...Object.fromEntries(['ppb', 'ug/kg', 'µg/kg', 'μg/kg', 'mcg/kg', 'ng/g'].map((unit) => [unit, 1e-7])),
}

/** Null for units that aren't a share of the weight, such as mg per serving. */
export const percentOf = (unit: string): number | null => shareUnits[unit.toLowerCase().replaceAll(/\s/g, '')] ?? null

export type AnalyteGroup = 'cannabinoid' | 'terpene' | 'total'

/** Standard names and their spellings on certificates, in the form that `plain` returns. */
const names: Record<AnalyteGroup, Record<string, string>> = {
  total: {
    'Total THC': 'totalthc thctotal maxthc thcmax totalactivethc totalpotentialthc',
    'Total CBD': 'totalcbd cbdtotal maxcbd cbdmax totalactivecbd totalpotentialcbd',
    'Total cannabinoids': 'totalcannabinoids cannabinoidstotal totalactivecannabinoids',
    'Total terpenes': 'totalterpenes totalterpene totalterpenoids terpenestotal',
  },
  cannabinoid: {
    THCA: 'thca thcaa d9thca delta9thca tetrahydrocannabinolicacid',
    'Δ9-THC': 'thc d9thc delta9thc 9thc deltathc tetrahydrocannabinol delta9tetrahydrocannabinol',
    'Δ8-THC': 'd8thc delta8thc 8thc delta8tetrahydrocannabinol',
    THCV: 'thcv d9thcv delta9thcv tetrahydrocannabivarin',
    THCVA: 'thcva tetrahydrocannabivarinicacid tetrahydrocannabivarincarboxylicacid',
    // Not “CBD”: results are matched by name, and a grower's “CBD” means the total.
    'CBD (neutral)': 'cbd cbdneutral neutralcbd cannabidiol',
    CBDA: 'cbda cannabidiolicacid',
    CBDV: 'cbdv cannabidivarin',
    CBDVA: 'cbdva cannabidivarinicacid',
    CBG: 'cbg cannabigerol',
    CBGA: 'cbga cannabigerolicacid',
    CBN: 'cbn cannabinol',
    CBNA: 'cbna cannabinolicacid',
    CBC: 'cbc cannabichromene',
    CBCA: 'cbca cannabichromenicacid',
    CBCV: 'cbcv cannabichromevarin',
    CBL: 'cbl cannabicyclol',
    CBLA: 'cbla cannabicyclolicacid',
    CBT: 'cbt cannabicitran cannabitriol',
  },
  terpene: {
    'β-Myrcene': 'betamyrcene myrcene bmyrcene',
    Limonene: 'limonene dlimonene dllimonene deltalimonene',
    'β-Caryophyllene': 'betacaryophyllene caryophyllene bcaryophyllene transcaryophyllene betatranscaryophyllene ecaryophyllene',
    'Caryophyllene oxide': 'caryophylleneoxide betacaryophylleneoxide',
    'α-Humulene': 'alphahumulene humulene ahumulene alphacaryophyllene',
    Linalool: 'linalool',
    'α-Pinene': 'alphapinene apinene',
    'β-Pinene': 'betapinene bpinene',
    'α-Bisabolol': 'alphabisabolol bisabolol abisabolol levomenol',
    Terpinolene: 'terpinolene deltaterpinene',
    Ocimene: 'ocimene ocimenes',
    'β-Ocimene': 'betaocimene bocimene',
    'trans-β-Ocimene': 'transbetaocimene betatransocimene transocimene',
    'cis-β-Ocimene': 'cisbetaocimene betacisocimene cisocimene',
    'α-Terpineol': 'alphaterpineol terpineol aterpineol',
    'α-Terpinene': 'alphaterpinene aterpinene',
    'γ-Terpinene': 'gammaterpinene gterpinene yterpinene',
    Camphene: 'camphene',
    Camphor: 'camphor camphors',
    Guaiol: 'guaiol',
    Eucalyptol: 'eucalyptol 18cineole cineole',
    Geraniol: 'geraniol',
    'Geranyl acetate': 'geranylacetate',
    Fenchol: 'fenchol fenchylalcohol endofenchylalcohol',
    Fenchone: 'fenchone',
    Borneol: 'borneol',
    Isoborneol: 'isoborneol',
    Isopulegol: 'isopulegol',
    Pulegone: 'pulegone',
    Nerol: 'nerol',
    Nerolidol: 'nerolidol nerolidols',
    'trans-Nerolidol': 'transnerolidol',
    'cis-Nerolidol': 'cisnerolidol',
    Valencene: 'valencene',
    'p-Cymene': 'pcymene cymene paracymene',
    'Δ3-Carene': 'delta3carene 3carene d3carene carene',
    'α-Phellandrene': 'alphaphellandrene phellandrene aphellandrene',
    Sabinene: 'sabinene',
    'Sabinene hydrate': 'sabinenehydrate',
    'α-Cedrene': 'alphacedrene cedrene',
    Cedrol: 'cedrol',
    Farnesene: 'farnesene',
    'trans-β-Farnesene': 'transbetafarnesene betafarnesene',
    Menthol: 'menthol',
    Citronellol: 'citronellol',
    Phytol: 'phytol',
  },
}

const greek: Record<string, string> = { Δ: 'delta', δ: 'delta', '∆': 'delta', α: 'alpha', β: 'beta', ß: 'beta', γ: 'gamma' }

/** Removes differences in labs' spelling: case, spaces, hyphens, Greek letters, and stereochemical prefixes such as (R)-(+)-. */
const plain = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[Δδ∆αβßγ]/g, (letter) => greek[letter] as string)
    .toLowerCase()
    .replaceAll(/\((?:[-+±−]|[rs]|\d?[rs](?:,\d?[rs])*)\)/g, '')
    .replaceAll(/[^a-z0-9]/g, '')

export type Analyte = { name: string; group: AnalyteGroup }

const known = new Map<string, Analyte>(
  (Object.keys(names) as AnalyteGroup[]).flatMap((group) =>
    Object.entries(names[group]).flatMap(([name, spellings]) =>
      spellings.split(' ').map((spelling) => [spelling, { name, group }] as const),
    ),
  ),
)

/** The standard name for a lab's spelling. On a certificate, “THC” and “CBD” mean the neutral form, without its acid. */
export const knownAnalyte = (text: string): Analyte | null => known.get(plain(text)) ?? null

/**
 * Whether a result counts toward the analyte that a grower named. Growers who write “THC” or “CBD” mean the total, since flower contains
 * mostly their acids.
 */
export function isSameAnalyte(ofGrower: string, ofLab: string): boolean {
  const wanted = /^(thc|cbd)$/i.test(ofGrower.trim()) ? `Total ${ofGrower}` : ofGrower
  return (knownAnalyte(wanted)?.name ?? plain(wanted)) === (knownAnalyte(ofLab)?.name ?? plain(ofLab))
}
