/** Detector word lists: phrases separated by `|`, in lowercase as produced by `fold`. */

export const conditions = `cancer|cancers|tumor|tumors|tumour|tumours|leukemia|melanoma|epilepsy|epileptic|seizure|seizures|alzheimer's|alzheimers|alzheimer|
parkinson's|parkinsons|parkinson|dementia|multiple sclerosis|lupus|crohn's|crohns|crohn|crohn's disease|ibs|colitis|fibromyalgia|arthritis|rheumatism|
gout|psoriasis|eczema|acne|migraine|migraines|headache|headaches|insomnia|sleeplessness|sleepless nights|sleep apnea|sleep disorder|sleep disorders|
anxiety|panic attack|panic attacks|depression|ptsd|stress disorder|stress disorders|adhd|autism|ocd|bipolar|schizophrenia|tourette's|
diabetes|blood sugar|blood pressure|cholesterol|hypertension|asthma|copd|glaucoma|nausea|vomiting|cramps|muscle spasms|spasms|tremor|tremors|
chronic pain|nerve pain|back pain|joint pain|neck pain|knee pain|muscle pain|period pain|pain|pains|neuropathy|sciatica|inflammation|covid|flu|colds|
common cold|mrsa|hiv|hepatitis|herpes|withdrawal|withdrawals|opioid addiction|addiction|alcoholism|heart disease|concussion|
immune system|immunity|anorexia|endometriosis|pms|tinnitus|ulcers`

/** German, Spanish and French, as produced by `fold`. */
export const foreignConditions = `krebs|tumore|epilepsie|krampfe|schmerz|schmerzen|kopfschmerzen|ruckenschmerzen|migrane|schlaflosigkeit|schlafstorung|
schlafstorungen|angste|angststorung|angststorungen|panikattacken|depressionen|entzundung|entzundungen|arthrose|rheuma|gicht|ubelkeit|alzheimer|bluthochdruck|
cancer|tumores|convulsiones|epilepsia|ansiedad|dolor|dolores|migrana|migranas|insomnio|depresion|inflamacion|artritis|artrosis|nauseas|diabetes|presion alta|
douleur|douleurs|l'anxiete|l'insomnie|l'epilepsie|l'angoisse|l'arthrite|l'arthrose|d'epilepsie|d'anxiete|d'insomnie|anxiete|insomnie|angoisse|angoisses|arthrite|arthrose|nausees|diabete|crises d'epilepsie|tumeurs|maux de tete`

export const foreignRemedies = `heilt|heilen|geheilt|heilung|lindert|lindern|gelindert|behandelt|bekampft|hilft gegen|hilft bei|helfen gegen|gut gegen|wirkt gegen|
medizin gegen|mittel gegen|beseitigt|verhindert|besiegt|
cura|curan|curo|curado|curar|alivia|alivian|aliviar|calma el|calma la|trata el|trata la|combate|combaten|previene|elimina|eliminan|quita el|quita la|reduce el|reduce la|
bueno para|buena para|remedio para|contra el|contra la|
guerit|guerissent|gueri|guerir|soigne|soignent|soigner|soulage|soulagent|soulager|traite|traitent|combat le|combat la|previent|elimine|bon contre|bon pour|
efficace contre|remede contre|apaise`

/** Words that make a claim when applied to a condition. */
export const remedies = `cure|cures|cured|curing|treat|treats|treated|treating|treatment|treatments|heal|heals|healed|healing|relieve|relieves|relieved|relieving|
relief|prevent|prevents|prevented|preventing|ease|eases|eased|easing|reduce|reduces|reduced|reducing|lower|lowers|lowered|lowering|fight|fights|fighting|
fought|reverse|reverses|reversed|shrink|shrinks|shrank|shrinking|kill|kills|killed|killing|stop|stops|stopped|stopping|get rid of|gets rid of|got rid of|
getting rid of|rid of|eliminate|eliminates|eliminated|help|helps|helped|helping|good for|good against|great against|keeps|way better|better since|better after|better with|melts away|melt away|melted away|fades away|great for|best for|perfect for|ideal for|amazing for|awesome for|
excellent for|wonders for|better for|work for|works for|worked for|works against|work against|works wonders|useful for|fix|fixes|fixed|
alleviate|alleviates|alleviated|soothe|soothes|soothed|manage|manages|managed|combat|combats|calm|calms|calmed|remedy|remedies|medicine|medicines|
medication for|therapy for|therapeutic|cure for|antidote|boost|boosts|boosting|strengthens|goodbye to|say goodbye to|free from|free of|beat|beats|
strain for|strains for|strain for people with|took away|takes away|take away|taken away|dissolve|dissolves|dissolved|disappears|slow down|slows down|
slowed down|clear up|clears up|cleared up|clearing up|works on|worked on|work on|calm down|calms down|nothing works|only thing that works|need to try|have to try|should try|must try|
wipes out|wiped out|knocks out|knock out|knocked out|best * for|good * for|great * for|right * for|perfect * for|tames|controls|under control|keeps away|erase|erases|erased|destroys|destroy|destroyed|attack|attacks|target|targets|numbs|numb|
takes care of|took care of|saved me from|saved my|saves|repair|repairs|repaired|regulates|regulate|balances|minimize|minimizes|counters|suppress|suppresses|protects against|
protect against|protection against|guards against|wards off|aids|aid|improve|improves|improved|resolve|resolves|resolved|recommended for|prescribed for|indicated for|made for|
answer for|a lifesaver for|lifesaver for|godsend for|must for|relieving|gone|disappeared|vanished|went away|goes away|go away|has had none|solution for|answer to|effective against|effective for`

/** Words that make a claim near the name of a condition: its outcome, or how people take a product for it. */
export const effects = `remission|vanish|vanishes|vanished|disappear|disappears|disappeared|microdose|microdosing|apply|applied|rub|rubbing|rub it|protocol|regimen|
formula|ends|ended|times a day|a day for|per day for|every morning|every night|thanks to|since i started|since we started|since he started|since she started|since starting|
since using|since switching|since i switched|since we switched|pain free|symptom free|no longer have|no longer has|never came back|has not come back|dose for|doses for|drops for|
puffs for|capsules for|gummies for|strain against|oil against|healing|medicinal|instead of surgery|life changing|a miracle|miracle|lifesaver|godsend|game changer|nothing beats|does wonders|
made it go|makes it go|takes the edge off|wipes away|dissolves|shrunk|in check|at bay|under control|tamed|quiets|quieted|gone for good|went down|goes down|came down`

/** Claims even without a condition. */
export const authorities = `fda approved|fda cleared|approved by the fda|clinically proven|clinically tested|scientifically proven|medically proven|
proven by science|proven treatment|proven to treat|proven to cure|proven to heal|proven to reduce|doctor recommended|doctors recommend|doctor approved|
physician recommended|physician approved|therapeutic grade|pharmaceutical grade|natural antibiotic|natural painkiller|natural pain reliever|
anti inflammatory|antiinflammatory|pain relief|pain reliever|pain relieving|pain killer|miracle cure|cures everything|heals everything|cure all|
cures what ails|heals what ails|cures all|heals all|cures any disease|heals any disease|fights disease|prevents disease|cures disease|cures diseases|treats disease|
health benefits|medical benefits|healing properties|healing powers|no side effects|without side effects`

/** Medicines that a product is said to replace. */
export const drugs = `meds|medication|medications|medicine|pills|pill|painkillers|painkiller|pain killers|opioids|opioid|opiates|antidepressants|antidepressant|
insulin|chemo|chemotherapy|radiation|ibuprofen|advil|tylenol|aspirin|aleve|acetaminophen|xanax|valium|ativan|klonopin|adderall|ritalin|prozac|zoloft|lexapro|
zofran|ambien|blood thinners|antibiotics|oxy|oxycodone|oxycontin|percocet|percs|vicodin|tramadol|gabapentin|benzos|ssri|ssris|statins|metformin|steroids|
inhaler|sleeping pills|surgery`

export const replacing = `better than|instead of|replace|replaces|replaced|replacing|replacement for|throw your|throw away your|throw out your|throw your|flush your|bin your|burn your|quit|ditch|ditched|dump|threw out|throw out|threw away|throw away|
toss|tossed|stop taking|stopped taking|stop your|off|no more|won't need|wont need|don't need|dont need|no need for|never need|skip|skip the|forget|
alternative to|safer than|beats|as good as|stronger than|came off|got off|get off|goodbye to|without`

/** Words near a dose: "take 25 mg". */
export const dosing = `take|takes|taking|start with|starting with|begin with|use|try|dose|dosage|recommended dose|recommended dosage|daily dose|drops|capsule|capsules`

export const products = `weed|bud|buds|nug|nugs|flower|flowers|joint|joints|pre roll|pre rolls|preroll|prerolls|blunt|blunts|gram|grams|g|
eighth|eighths|quarter ounce|quarter oz|half ounce|half oz|ounce|ounces|oz|zip|zips|qp|qps|pound|pounds|lb|lbs|edible|edibles|gummy|gummies|
cart|carts|cartridge|cartridges|vape|vapes|vape pen|concentrate|concentrates|rosin|resin|hash|dab|dabs|wax|shatter|badder|seed|seeds|bean|beans|clone|clones|
cut|cuts|cutting|cuttings|tincture|tinctures|trim|kief|chocolate|chocolates|strain|strains|cannabis|marijuana|ganja|thc|cbd oil|rso|herb|smoke|gas|pack of seeds|packs`

/** Extras that are given away with a purchase. They count as gifts, as `products` do. */
export const giveables = `battery|batteries|lighter|grinder|pipe|sample|samples|product|products|merch|pack|packs|drink|drinks|topical|topicals|ticket|quarter|half`

export const giving = `giveaway|giveaways|giving away|give away|gave away|gives away|handing out|hand out|hands out|raffle|raffles|raffling|raffling off|raffled|sweepstakes|
lottery|prize draw|drawing|door prize|door prizes|contest|win|wins|winner|winners|lucky|cent|cents|complimentary|freebie|freebies|penny|bogo|b2g1|b1g1|gift|gifts|for nothing|
no charge|free of charge|on us|on the house|free`

/** Traded amounts and goods. */
export const amounts = `unit|units|p|ps|oz|ozs|ounce|ounces|zip|zips|zipper|qp|qps|hp|hps|lb|lbs|pound|pounds|elbow|elbows|eighth|eighths|quarter|quarters|half|halves|g|gs|gram|grams|
cart|carts|cartridge|cartridges|clone|clones|cut|cuts|cutting|cuttings|seed|seeds|pack|packs|pre rolls|prerolls|joints|edibles|gummies|bud|buds|nugs|weed|flower|harvest|
gas|zaza|exotics|smalls|shake|rosin|hash|wax|shatter|dabs|trim|smoke|pheno|phenos|teen|teens|bean|beans|tincture|tinctures|moonrocks|pen|pens|vapes|outdoor|indoor`

export const offering = `selling|sell|sells|for sale|4sale|forsale|wts|fs|i sell|we sell|up for grabs|letting go|let go|taking orders|take orders|in stock|restocked|restock|available|
got|i've got|have|left|vendor|plug|serious buyers|make an offer|make me an offer|best offer|obo|moving|unloading|hook you up|hook up|trade|each|apiece|a piece|per|who needs|
anyone need|anybody need|anyone needs|who wants|holla|price list|prices|on deck|leftover|ready now|ea|no lowballers|lowballers|lowball|lowballs|firm|per|local only|locals only|locals|if interested|interested|lmk|let me know|i can bring|can bring|i can do|come pick up|come get|want|wants|wanting|get rid of|best offer takes|takes it|ready|tonight|delivered|all must go|must go|while they last|bulk|discount|deals|deal|verified buyers|4 sale|can drop|drop off|move my|offload|offloading|first come`

export const buying = `who wants to buy|anybody want to buy|anyone want to buy|anyone wants to buy|wtb|looking to buy|want to buy|wanna buy|trying to buy|looking to cop|need to buy|will pay|paying cash|who's selling|whos selling|who is selling|
anyone selling|anybody selling|who sells|can i buy|where can i score|who's got|whos got|who got|need a plug|need a connect|where to cop|iso`

export const contacting = `dm|dms|pm|pms|hmu|hit me|hit me up|hit my|hit us|hit us up|text|text me|text us|message|message me|message us|msg|msg me|inbox me|inbox|call me|
slide in|tap in|tap|add me|contact me|write me|reach me|ask me|holler|hit the dms|my dms|drop me a line`

export const messengers = `telegram|tele|whatsapp|whats app|what's app|signal|wickr|snap|snapchat|kik|threema|wire|discord|wechat|viber|burner|session|insta|instagram|ig`

export const payments = `cashapp|cash app|venmo|zelle|paypal|apple pay|bitcoin|btc|crypto|bank transfer|western union|gift card|gift cards|monero`

/** Shipping, which no license allows across state lines. */
export const shipping = `ship nationwide|ships nationwide|shipping nationwide|shipped nationwide|nationwide shipping|nationwide delivery|deliver nationwide|
ship anywhere|ships anywhere|shipped anywhere|shipping anywhere|ship worldwide|ships worldwide|shipping worldwide|
worldwide shipping|ship all over|ship to all|ships to all|all 50 states|any state|to every state|all fifty states|
discreet packaging|discreet shipping|discreet delivery|ships discreetly|ship discreetly|shipped discreetly|discreetly shipped|
stealth shipping|stealth packaging|overnight shipping|overnight delivery guaranteed|ship overnight|can ship|can mail|mail anywhere|
mail anywhere in|mailed anywhere|i ship|i will ship|we ship|will ship|ship it to you|mail it to you|i mail|we mail|i can mail|
can mail you|mail you|ship you`

/** Delivery, which is legal for a business with a license to deliver. */
export const delivering = `delivery to your door|deliver to your door|delivered to your door|i deliver|i can deliver|will deliver|same day drop|drop off available|door to door|can drop`

export const meeting = `meet up|meetup|meet|pickup only|pick up only|local pickup|local pick up|pickup|pick up|pull up|parking lot|my place|address|cash only|cash|im in|i'm in`

const more = `nationwide worldwide discreet shipping cheap prices price menu order orders buy bucks dollars anybody guaranteed approved proven clinically disease
doctor everything naturally medical away purchase tagged follow share comment winner anywhere delivery stealth available nobody insomnia fast fire loud exotic
people customer customers mdma coke xans shrooms`

const known = new Set(
  [
    conditions,
    foreignConditions,
    remedies,
    foreignRemedies,
    authorities,
    drugs,
    products,
    giving,
    offering,
    contacting,
    messengers,
    payments,
    shipping,
    amounts,
    replacing,
    more,
  ]
    .join(' ')
    .split(/[^a-z']+/)
    .filter((word) => word.length >= 3),
)

export const isKnownWord = (word: string): boolean => known.has(word)

const byShape = Map.groupBy(known, (word) => `${word[0]}${word.length}`)

/** Known words with the first letter and length of a masked word. */
export const knownWordsLike = (masked: string): readonly string[] => byShape.get(`${masked[0]}${masked.length}`) ?? []
