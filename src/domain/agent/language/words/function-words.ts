const setOf = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(' ')))

/** Words that carry nothing in a request or question; what remains without a meaning is a name or unclear. */
export const fillers = setOf(
  'please kindly thanks thank cheers ta bot upbeat hey hi hello howdy yo dear ok okay alright right sure yes yeah yep well so',
  'now just quickly quick asap immediately soon already also too then still yet again currently actually really simply maybe perhaps',
  'once more moment present time possible sorry team folks everyone guys man mate buddy there here exactly anyway instead rather even only',
  'fyi btw urgent urgently important hm hmm uh um oh ah lol haha good morning afternoon evening friend question task todo quick',
  'about regarding concerning today ever lately recently one ones kind sort thing way straight away manually manual same those these',
  'many much know plain user users customer customers people me us our ours my mine your yours you i we it its this that they them their he she',
)

/** Articles, prepositions, auxiliaries and question words. */
export const functionWords = setOf(
  'a an the some any all both each every of on in at to for from by with about into onto over under as and or but nor',
  'is are was were be been being am do does did done has have had having can could may might must shall should will would',
  'what which who whom whose when where why how there not no than that this these those it its if else while during',
  'up out off down back because due since until till between through between after before per via my our your their his her',
  'whether going got get lets let go ahead make sure having been affecting affected concerning come coming came',
)
