// libexpat: what Swift needs of it is plain functions (expat.h).
#pragma once
#include <expat.h>
