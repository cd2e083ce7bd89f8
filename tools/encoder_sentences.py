"""The sentences of tools/encoder_study.py. A frame has one slot {a|b|n}: the cue of sense a, of sense b, a plain word.

FRESH was written after FIRST had been measured: a test of what the first words suggested. THIRD and FAR were written
after all the rest, to break it.
"""

FIRST = {  # word: (sense a / sense b, four frames)
    "bank": (
        "river / money",
        "The {river|savings|local} bank was closed to visitors.",
        "We met beside the bank to talk about the {fish|loan|plan}.",
        "Its {muddy|wealthy|famous} old bank is known to everyone here.",
        "He left the {boat|cash|box} at the bank before noon.",
    ),
    "bat": (
        "animal / sport",
        "The {cave|baseball|old} bat was smaller than I expected.",
        "She saw the bat next to the {owl|ball|box}.",
        "The {furry|wooden|new} bat lay on the floor.",
        "He spoke about the bat and its {wings|handle|owner}.",
    ),
    "spring": (
        "season / coil",
        "The {warm|metal|new} spring surprised all of us.",
        "This spring is better for {flowers|engines|people}.",
        "The {snowy|steel|long} spring was difficult for the farmer.",
        "They wrote about the spring and the {rain|wire|house}.",
    ),
    "match": (
        "game / fire",
        "The {tennis|wooden|other} match was over in a minute.",
        "He lost the match and then the {trophy|candle|paper}.",
        "A {football|burning|small} match can be dangerous for children.",
        "She thought about the match beside the {stadium|stove|window}.",
    ),
    "crane": (
        "bird / machine",
        "The {white|steel|big} crane stood by the water.",
        "A crane was seen near the {nest|factory|house}.",
        "The crane slowly lowered its {wings|cargo|side}.",
        "The {marsh|construction|old} crane is the tallest in the country.",
    ),
    "seal": (
        "animal / stamp",
        "The {arctic|official|small} seal was lost for many years.",
        "We looked at the seal on the {ice|letter|table}.",
        "The {swimming|royal|old} seal is shown in this picture.",
        "A seal appeared near the {whale|signature|end}.",
    ),
    "bark": (
        "dog / tree",
        "The bark of the {dog|oak|other} surprised the children.",
        "The {angry|brown|strange} bark can be recognised easily.",
        "We noticed the bark of that {hound|pine|one} from far away.",
        "A {loud|thick|real} bark protects it from enemies.",
    ),
    "mouse": (
        "animal / computer",
        "The {grey|wireless|new} mouse was under the desk.",
        "He bought a mouse and a {cage|keyboard|book} yesterday.",
        "The mouse was beside the {cheese|screen|door} all day.",
        "A {hungry|plastic|small} mouse makes very little noise.",
    ),
    "plant": (
        "factory / flora",
        "The {nuclear|tropical|large} plant needs a lot of water.",
        "They visited the plant to see its {engines|leaves|colour}.",
        "A {chemical|flowering|new} plant was brought to the valley.",
        "The plant is famous for its {steel|roses|size}.",
    ),
    "palm": (
        "hand / tree",
        "The {bleeding|tropical|left} palm was covered with dust.",
        "He touched the palm and then the {finger|coconut|other}.",
        "The palm and the {wrist|desert|rest} were painted by her.",
        "The {injured|green|big} palm was moving a little.",
    ),
    "trunk": (
        "elephant / car",
        "The {elephant|car|big} trunk was very long.",
        "The trunk of the {elephant|taxi|other} was covered in mud.",
        "He put the apple in its trunk near the {zoo|garage|house}.",
        "The {animal|vehicle|whole} trunk is strong enough for this.",
    ),
    "organ": (
        "music / body",
        "The {church|human|old} organ was in poor condition.",
        "The organ was near the {choir|stomach|wall}.",
        "A {musical|vital|large} organ needs constant care.",
        "She studied the organ and the {piano|brain|rest} for years.",
    ),
    "star": (
        "sky / celebrity",
        "The {distant|movie|new} star was discovered by accident.",
        "They photographed the star and its {planet|manager|colour}.",
        "A {dying|famous|big} star attracts everything around it.",
        "The star appeared again in the {galaxy|theatre|evening}.",
    ),
    "nail": (
        "finger / hammer",
        "The {painted|rusty|long} nail was broken in half.",
        "He looked at the nail and at the {finger|hammer|other}.",
        "The nail was too short for the {polish|board|girl}.",
        "A {toe|steel|small} nail can hurt badly.",
    ),
    "court": (
        "sport / law",
        "The {tennis|supreme|old} court was quiet on that day.",
        "They left the court with the {ball|judge|others}.",
        "A {basketball|criminal|new} court will open next year.",
        "The court was waiting for the {players|lawyers|others}.",
    ),
    "ring": (
        "boxing / jewel",
        "The {boxing|gold|new} ring was bigger than the last one.",
        "She stood by the ring and the {fighter|jewel|door}.",
        "The ring belonged to the {wrestler|bride|man}.",
        "A {wrestling|diamond|good} ring is never cheap.",
    ),
}

FRESH = {  # word: (sense a / sense b, four frames)
    "club": (
        "golf / night",
        "The {golf|dance|old} club was expensive for all of us.",
        "He left the club in the {bag|disco|house}.",
        "A {heavy|crowded|new} club is hard to like.",
        "They looked at the club and the {hole|singer|door}.",
    ),
    "cell": (
        "biology / prison",
        "The {blood|prison|small} cell was seen for the first time.",
        "We talked about the cell and its {protein|guard|size}.",
        "A {cancer|jail|new} cell is never empty.",
        "The cell was described by a {biologist|lawyer|man} last year.",
    ),
    "deck": (
        "ship / cards",
        "The {wooden|card|old} deck was very wet.",
        "They sat with the deck near the {sail|dealer|door}.",
        "The deck belonged to the {captain|magician|man}.",
        "A {ship|poker|new} deck can be quite small.",
    ),
    "wave": (
        "sea / hand",
        "The {ocean|friendly|big} wave was seen by everyone.",
        "She sent a wave towards the {beach|crowd|door}.",
        "A {tidal|polite|strong} wave came from the left.",
        "The wave was made by a {storm|child|man}.",
    ),
    "pupil": (
        "school / eye",
        "The {clever|dark|small} pupil was noticed by the doctor.",
        "He described the pupil and the {teacher|lens|rest}.",
        "A {lazy|black|new} pupil does not react quickly.",
        "The pupil was examined in the {school|clinic|morning}.",
    ),
    "tank": (
        "army / fish",
        "The {armored|fish|old} tank was standing in the corner.",
        "They filled the tank with {soldiers|water|things}.",
        "A {military|glass|new} tank needs a lot of care.",
        "We saw the tank and the {gun|turtle|rest}.",
    ),
    "chip": (
        "potato / computer",
        "The {potato|silicon|small} chip was broken in two.",
        "He held the chip next to the {salt|processor|door}.",
        "A {salty|digital|new} chip is cheap to make.",
        "The chip was invented by a {cook|physicist|man}.",
    ),
    "note": (
        "music / letter",
        "The {musical|written|last} note was too long.",
        "She repeated the note for the {violin|secretary|man}.",
        "A {wrong|printed|small} note can change it all.",
        "The note was followed by a {melody|signature|door}.",
    ),
    "coach": (
        "sport / bus",
        "The {football|tourist|old} coach was late this morning.",
        "We waited for the coach beside the {stadium|station|door}.",
        "A {basketball|travel|new} coach costs a lot.",
        "The coach was praised by the {player|passenger|man}.",
    ),
    "pipe": (
        "smoke / water",
        "The {tobacco|water|old} pipe was found in the cellar.",
        "He cleaned the pipe and the {ash|drain|rest}.",
        "A {smoking|leaking|new} pipe is bad for you.",
        "The pipe was made for the {cigar|sewer|house}.",
    ),
}

# frames that know nothing of the word: the cue is a noun, and never its neighbour
TEMPLATES = (
    "We talked about the WORD and then, after a while, about the {CUES}.",
    "The {CUES} was there first, and only much later came the WORD.",
    "A WORD was seen somewhere near the {CUES}.",
    "The {CUES} and the WORD were both in the picture.",
)
NOBODY = "person place thing other".split()
CUES = {  # word: cues of sense a, cues of sense b, one a template
    "bass": ("salmon lake fisherman bait", "guitar drum jazz concert"),
    "bow": ("arrow hunter target archer", "violin cello orchestra string"),
    "scale": ("fish snake skin lizard", "weight kitchen grocery pound"),
    "file": ("folder document computer office", "saw drill workshop metal"),
    "fan": ("stadium team singer concert", "heat summer air ceiling"),
    "column": ("newspaper editor journalist article", "temple marble roof palace"),
    "cabinet": ("minister parliament president government", "kitchen drawer shelf wood"),
    "mercury": ("planet venus orbit telescope", "liquid metal poison chemistry"),
    "ruler": ("king throne empire kingdom", "pencil paper student inch"),
    "port": ("ship harbor sailor dock", "wine dinner glass cheese"),
    "terminal": ("airport flight passenger luggage", "computer keyboard software code"),
    "current": ("river boat swimmer flood", "battery wire electricity voltage"),
    "chest": ("lung doctor heart breath", "treasure pirate gold lock"),
    "pitch": ("football player grass goal", "choir singer voice melody"),
    "temple": ("priest monk god prayer", "forehead hair ear cheek"),
    "jam": ("traffic highway driver truck", "bread toast breakfast sugar"),
    "plate": ("dinner soup fork restaurant", "earthquake continent volcano crust"),
    "toast": ("bread butter breakfast egg", "wine speech wedding champagne"),
    "mint": ("tea garden leaf herb", "coin gold money silver"),
    "staff": ("office manager hotel company", "wizard shepherd stick monk"),
    "drill": ("dentist hole metal tool", "soldier army sergeant parade"),
    "horn": ("bull goat deer rhino", "trumpet jazz orchestra band"),
    "glass": ("wine beer bottle bar", "window mirror lens house"),
    "letter": ("mail envelope stamp friend", "alphabet word spelling vowel"),
}


def _frames(word, one, two):
    for template, *cues in zip(TEMPLATES, one.split(), two.split(), NOBODY, strict=True):
        yield template.replace("WORD", word).replace("CUES", "|".join(cues))


THIRD = {word: (f"{one} / {two}", *_frames(word, one, two)) for word, (one, two) in CUES.items()}

# (frame, first noun, second noun, the word that means the first, the word that means the second)
# the deciding word fits one noun only: a street is not tired
FITS = (
    ("The {animal} didn't cross the {street} because it was too {}.", "animal", "street", "tired", "wide"),
    ("The {animal} did not cross the {road} because it was too {}.", "animal", "road", "tired", "wide"),
    ("The {dog} didn't cross the {river} because it was too {}.", "dog", "river", "tired", "wide"),
    ("The {horse} didn't cross the {street} because it was too {}.", "horse", "street", "weak", "busy"),
    ("Because it was too {}, the {animal} didn't cross the {street}.", "animal", "street", "tired", "wide"),
    ("The {animal} could not cross the {bridge} since it was too {}.", "animal", "bridge", "tired", "narrow"),
    ("The {cat} avoided the {road} because it was too {}.", "cat", "road", "scared", "wide"),
    ("The {dog} never crosses the {field} when it is too {}.", "dog", "field", "hungry", "wet"),
    ("The {dog} chased the {ball} because it was {}.", "dog", "ball", "hungry", "red"),
    ("The {cat} climbed the {tree} because it was {}.", "cat", "tree", "scared", "tall"),
    ("The {knife} didn't cut the {bread} because it was too {}.", "knife", "bread", "dull", "hard"),
    ("The {bird} left the {cage} because it was {}.", "bird", "cage", "free", "open"),
    ("The {horse} didn't drink the {water} because it was too {}.", "horse", "water", "sick", "dirty"),
    ("The {baby} didn't eat the {soup} because it was too {}.", "baby", "soup", "sleepy", "hot"),
)

# the deciding word fits both: only knowing what happens decides, as in Winograd's schemas
EITHER = (
    ("The {trophy} doesn't fit in the {suitcase} because it is too {}.", "trophy", "suitcase", "big", "small"),
    ("The {book} doesn't fit in the {box} because it is too {}.", "book", "box", "large", "small"),
    ("The {table} won't go through the {door} because it is too {}.", "table", "door", "wide", "narrow"),
    ("The {truck} passed the {bus} because it was going so {}.", "truck", "bus", "fast", "slow"),
    ("The {ball} broke the {table} because it was made of {}.", "ball", "table", "steel", "glass"),
    ("The {boat} couldn't pass the {bridge} because it was too {}.", "boat", "bridge", "high", "low"),
    ("The {key} does not fit the {lock} because it is too {}.", "key", "lock", "large", "small"),
    ("The {car} beat the {train} because it was so {}.", "car", "train", "fast", "slow"),
    ("The {foot} did not fit the {shoe} because it was too {}.", "foot", "shoe", "big", "small"),
    ("The {picture} does not fit the {frame} because it is too {}.", "picture", "frame", "large", "small"),
    ("The {sofa} doesn't fit through the {hall} because it is too {}.", "sofa", "hall", "wide", "narrow"),
    ("The {bed} doesn't fit in the {room} because it is too {}.", "bed", "room", "long", "short"),
    ("The {rock} broke the {window} because it was so {}.", "rock", "window", "hard", "thin"),
    ("The {cup} does not fit under the {tap} because it is too {}.", "cup", "tap", "high", "low"),
)

# the deciding word fits both here too, and the two words are as far apart as "tired" and "wide"
FAR = (
    ("The {trophy} doesn't fit in the {suitcase} because it is too {}.", "trophy", "suitcase", "massive", "tight"),
    ("The {book} doesn't fit in the {box} because it is too {}.", "book", "box", "thick", "tight"),
    ("The {table} won't go through the {door} because it is too {}.", "table", "door", "tall", "low"),
    ("The {truck} passed the {bus} because it was so {}.", "truck", "bus", "fast", "old"),
    ("The {ball} broke the {table} because it was made of {}.", "ball", "table", "steel", "straw"),
    ("The {boat} couldn't pass the {bridge} because it was too {}.", "boat", "bridge", "tall", "low"),
    ("The {key} does not fit the {lock} because it is too {}.", "key", "lock", "thick", "tight"),
    ("The {car} beat the {train} because it was so {}.", "car", "train", "quick", "late"),
    ("The {foot} did not fit the {shoe} because it was too {}.", "foot", "shoe", "long", "tiny"),
    ("The {picture} does not fit the {frame} because it is too {}.", "picture", "frame", "broad", "tiny"),
    ("The {sofa} doesn't fit through the {hall} because it is too {}.", "sofa", "hall", "long", "tight"),
    ("The {bed} doesn't fit in the {room} because it is too {}.", "bed", "room", "long", "tiny"),
    ("The {rock} broke the {window} because it was so {}.", "rock", "window", "hard", "old"),
    ("The {cup} does not fit under the {tap} because it is too {}.", "cup", "tap", "tall", "low"),
)

# a positive control: the pronoun itself decides
GENDER = (
    ("The {boy} thanked the {girl} because {} was happy.", "boy", "girl", "he", "she"),
    ("The {king} met the {queen} after {} came home.", "king", "queen", "he", "she"),
    ("The {father} called the {mother} when {} was ill.", "father", "mother", "he", "she"),
    ("The {man} saw the {woman} before {} left the house.", "man", "woman", "he", "she"),
    ("The {prince} wrote to the {princess} because {} was lonely.", "prince", "princess", "he", "she"),
    ("The {uncle} visited the {aunt} while {} was on holiday.", "uncle", "aunt", "he", "she"),
    ("The {actor} helped the {actress} because {} was late.", "actor", "actress", "he", "she"),
    ("The {son} left the {daughter} since {} was angry.", "son", "daughter", "he", "she"),
    ("The {husband} paid the {wife} when {} was ready.", "husband", "wife", "he", "she"),
    ("The {brother} found the {sister} after {} got lost.", "brother", "sister", "he", "she"),
    ("The {girl} thanked the {boy} because {} was happy.", "girl", "boy", "she", "he"),
    ("The {queen} met the {king} after {} came home.", "queen", "king", "she", "he"),
    ("The {mother} called the {father} when {} was ill.", "mother", "father", "she", "he"),
    ("The {woman} saw the {man} before {} left the house.", "woman", "man", "she", "he"),
    ("The {princess} wrote to the {prince} because {} was lonely.", "princess", "prince", "she", "he"),
    ("The {aunt} visited the {uncle} while {} was on holiday.", "aunt", "uncle", "she", "he"),
    ("The {actress} helped the {actor} because {} was late.", "actress", "actor", "she", "he"),
    ("The {daughter} left the {son} since {} was angry.", "daughter", "son", "she", "he"),
    ("The {wife} paid the {husband} when {} was ready.", "wife", "husband", "she", "he"),
    ("The {sister} found the {brother} after {} got lost.", "sister", "brother", "she", "he"),
)

# another
NUMBER = (
    ("The {dogs} followed the {cat} until {} got tired.", "dogs", "cat", "they", "it"),
    ("The {horses} passed the {cow} before {} fell.", "horses", "cow", "they", "it"),
    ("The {trucks} hit the {bus} because {} skidded.", "trucks", "bus", "they", "it"),
    ("The {birds} saw the {snake} when {} moved.", "birds", "snake", "they", "it"),
    ("The {wolves} hunted the {deer} while {} slept.", "wolves", "deer", "they", "it"),
    ("The {dog} followed the {cats} until {} got tired.", "dog", "cats", "it", "they"),
    ("The {horse} passed the {cows} before {} fell.", "horse", "cows", "it", "they"),
    ("The {truck} hit the {buses} because {} skidded.", "truck", "buses", "it", "they"),
    ("The {bird} saw the {snakes} when {} moved.", "bird", "snakes", "it", "they"),
    ("The {wolf} hunted the {sheep} while {} slept.", "wolf", "sheep", "it", "they"),
)

PLAIN = "old new nice strange famous good big small quiet beautiful".split()  # adjectives that decide nothing
