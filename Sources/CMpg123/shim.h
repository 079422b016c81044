// libmpg123 for Swift: https://www.mpg123.de/api/
#pragma once
#include <mpg123.h>
